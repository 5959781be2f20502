import { connectionLife } from '@portico/rules/connection-life'
import { useSyncExternalStore } from 'react'
import { useEnvironment } from '../../environment.ts'
import { useConnectionState } from './connection-context.tsx'

const EVERY_MS = 1000

/** What remains of the connection, in words that follow the clock; nothing where nobody is connected. */
export function useConnectionLife(): string | undefined {
  const { clock } = useEnvironment()
  const { connectionEXP } = useConnectionState()
  const read = () => (connectionEXP === null ? undefined : connectionLife(connectionEXP, clock()))
  return useSyncExternalStore(everySecond, read, () => undefined)
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, EVERY_MS)
  return () => clearInterval(timer)
}
