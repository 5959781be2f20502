import { useEffect, useState, useSyncExternalStore } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import type { NotificationState } from '../notifications/notifications.ts'
import type { OpenWallet } from './open-wallet.ts'

/** The notifications of this wallet's connections. */
export function useNotifications({ requests }: OpenWallet) {
  const { notifications, reportError } = useMobileEnvironment()
  const [state, setState] = useState<NotificationState>()
  // A text, because a list would be a new one at every reading.
  const topics = useSyncExternalStore(requests.subscribe, () => requests.topics().join(' '))
  const isWaiting = useSyncExternalStore(requests.subscribe, () => requests.waiting() > 0)

  useEffect(() => {
    const read = () => notifications.state().then(setState, reportError)
    void read()
    notifications.ready().then(read, reportError)
  }, [notifications, reportError])

  useEffect(() => {
    // Without a network, the next start sends this to the server.
    notifications.renew(listOf(topics)).catch(() => undefined)
  }, [notifications, topics])

  useEffect(() => {
    if (isWaiting && document.visibilityState === 'hidden') notifications.show().catch(reportError)
  }, [notifications, isWaiting, reportError])

  return {
    state,
    hasConnections: topics !== '',
    turnOn: async () => setState(await notifications.turnOn(listOf(topics))),
    async turnOff() {
      await notifications.turnOff()
      setState(await notifications.state())
    },
  }
}

export type WalletNotifications = ReturnType<typeof useNotifications>

const listOf = (topics: string) => topics.split(' ').filter(Boolean)
