import { connectionLife } from '@portico/rules/connection-life'
import { useSyncExternalStore } from 'react'
import { useEnvironment } from '../../environment.ts'
import { useConnectionState } from './connection-context.tsx'

const UPDATE_INTERVAL_MS = 1000

/** The remaining connection time in words, updated every second; undefined if no wallet is connected. */
export function useConnectionLife(): string | undefined {
  const { clock } = useEnvironment()
  const { connectionEXP } = useConnectionState()
  const read = () => (connectionEXP === null ? undefined : connectionLife(connectionEXP, clock()))
  return useSyncExternalStore(everySecond, read, () => undefined)
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, UPDATE_INTERVAL_MS)
  return () => clearInterval(timer)
}
