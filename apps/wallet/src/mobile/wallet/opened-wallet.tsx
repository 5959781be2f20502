import { lazyComponent } from '@portico/shell/lazy-component'
import { Logo } from '@portico/shell/logo'
import { DeviceWallet } from '@portico/wallet-kit/device-screens'
import { useEffect } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import { Notices } from './notices.tsx'
import { NotificationsSetting } from './notifications-setting.tsx'
import type { OpenWallet } from './open-wallet.ts'
import { useConnecting } from './use-connecting.ts'
import { useNotifications } from './use-notifications.ts'

const Scan = lazyComponent(async () => {
  const { Scan } = await import('../scan/scan.tsx')
  return Scan
})

/** The wallet with its screens, the scanner and the notices of the shell. */
export function OpenedWallet({ wallet }: { wallet: OpenWallet }) {
  const { page, returnTo } = useMobileEnvironment()
  const { connecting, connect, dismiss } = useConnecting(wallet)
  const notifications = useNotifications(wallet)
  const { requests } = wallet
  useEffect(() => {
    const wake = () => {
      if (document.visibilityState === 'visible') requests.wake()
    }
    document.addEventListener('visibilitychange', wake)
    return () => document.removeEventListener('visibilitychange', wake)
  }, [requests])
  return (
    <DeviceWallet
      environment={wallet.device}
      brand={<Logo {...page} />}
      notice={
        <Notices
          wallet={wallet}
          connecting={connecting}
          onDismiss={dismiss}
          notifications={notifications}
        />
      }
      tabs={[
        'accounts',
        { name: 'scan', label: 'Scan', icon: 'scan', content: <Scan onCode={connect} /> },
        'groups',
        'activity',
        'settings',
      ]}
      settings={<NotificationsSetting notifications={notifications} />}
      onReturn={returnTo}
    />
  )
}
