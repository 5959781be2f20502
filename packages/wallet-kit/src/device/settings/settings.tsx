import { RowButton } from '@portico/ui/row-button'
import { type ComponentType, type ReactNode, useState } from 'react'
import type { VaultState } from '../../device-wallet.ts'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import { RemoveWallet } from '../remove-wallet.tsx'
import { ChangePassphrase } from './change-passphrase.tsx'
import { IdleLock, idleLabel } from './idle-lock.tsx'
import { PasskeySetting } from './passkey-setting.tsx'
import { RevealWords } from './reveal-words.tsx'
import styles from './settings.module.css'

type Page = 'sites' | 'idle' | 'passphrase' | 'words' | 'passkey' | 'remove'

/** The settings of the wallet on this device. */
export function Settings({
  vault,
  SitesPage,
  children,
}: {
  vault: Extract<VaultState, { step: 'unlocked' }>
  /** The connected sites, if they have no tab. */
  SitesPage?: ComponentType<{ onBack: () => void }> | undefined
  /** Settings of the shell. */
  children?: ReactNode
}) {
  const { version, arePasskeysSupported } = useDeviceEnvironment()
  const [page, setPage] = useState<Page>()
  const back = () => setPage(undefined)
  switch (page) {
    case 'sites':
      return SitesPage && <SitesPage onBack={back} />
    case 'idle':
      return <IdleLock minutes={vault.idleMinutes} onDone={back} />
    case 'passphrase':
      return <ChangePassphrase onDone={back} />
    case 'words':
      return <RevealWords onDone={back} />
    case 'passkey':
      return <PasskeySetting hasPasskey={vault.hasPasskey} onDone={back} />
    case 'remove':
      return <RemoveWallet title="Remove this wallet?" onBack={back} />
    case undefined:
  }
  return (
    <Screen title="Settings">
      <div className={styles.rows}>
        {SitesPage !== undefined && (
          <RowButton title="Connected sites" onClick={() => setPage('sites')} />
        )}
        <RowButton
          title="Lock automatically"
          details={idleLabel(vault.idleMinutes)}
          onClick={() => setPage('idle')}
        />
        <RowButton title="Change your passphrase" onClick={() => setPage('passphrase')} />
        <RowButton title="Show your recovery words" onClick={() => setPage('words')} />
        {(arePasskeysSupported || vault.hasPasskey) && (
          <RowButton
            title="Passkey"
            details={vault.hasPasskey ? 'Unlocks this wallet' : 'Not set up'}
            onClick={() => setPage('passkey')}
          />
        )}
        {children}
        <RowButton
          title="Remove this wallet"
          details="From this device"
          onClick={() => setPage('remove')}
        />
      </div>
      <p className={styles.version}>Version {version}</p>
    </Screen>
  )
}
