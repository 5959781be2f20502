import { useFlow } from '@portico/flow/react'
import { redirectTarget } from '@portico/rules/redirect-target'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Dialog } from '@portico/ui/dialog'
import { useEnvironment } from '../../environment.ts'
import { closePanel, WalletPanel } from '../connect/wallet-panel.tsx'
import { useConnection } from '../connection/connection-context.tsx'
import { createOrganization } from './create-organization.flow.ts'
import { createOrganizationServices } from './create-organization.services.ts'
import { CreateOrganizationView, TITLES } from './create-organization.view.tsx'

export type CreateOrganizationProps = {
  /** The controlling wallet, which is connected. */
  walletAddress: string
  query: URLSearchParams
  supportPhone: string
  onBack: () => void
}

/** Names an organization and creates it with its controlling wallet (§2.2, §4.8). */
export function CreateOrganization({
  walletAddress,
  query,
  supportPhone,
  onBack,
}: CreateOrganizationProps) {
  const environment = useEnvironment()
  const connection = useConnection()
  const redirectUrl = redirectTarget(query.get('redirectUrl'))
  const [state, send] = useFlow(createOrganization, {
    input: null,
    services: createOrganizationServices({
      ...environment,
      connection,
      walletAddress,
      closePanel,
      redirectUrl,
    }),
    report: environment.reportError,
  })
  const { walletName } = useWalletBrand()
  const isHosted = connection.state.walletAppId?.startsWith('figure_hosted') ?? false
  return (
    <Dialog open title={TITLES[state.step]} onClose={closeHandler()}>
      <CreateOrganizationView
        state={state}
        send={send}
        walletAddress={walletAddress}
        onBack={onBack}
        walletWindow={isHosted ? walletName : 'your wallet'}
        supportPhone={supportPhone}
      />
      <WalletPanel />
    </Dialog>
  )

  /** Closing goes back a step, or continues once the organization exists. */
  function closeHandler(): (() => void) | undefined {
    switch (state.step) {
      case 'naming':
        return onBack
      case 'approving':
      case 'confirming':
        return () => send({ type: 'back' })
      case 'created':
        return () => send({ type: 'continued' })
      case 'leaving':
        return undefined
    }
  }
}
