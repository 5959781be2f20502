import { useFlow } from '@portico/flow/react'
import { returnTarget } from '@portico/rules/return-target'
import { useEnvironment } from '../../environment.ts'
import { convertWallet } from './convert-wallet.flow.ts'
import { convertWalletServices } from './convert-wallet.services.ts'
import { ConvertWalletView } from './convert-wallet.view.tsx'

export type ConvertWalletProps = {
  walletAddress: string
  query: URLSearchParams
  supportPhone: string
}

export function ConvertWallet({ walletAddress, query, supportPhone }: ConvertWalletProps) {
  const environment = useEnvironment()
  const to = returnTarget(query.get('redirectUrl'), environment.location().origin)
  const [state, send] = useFlow(convertWallet, {
    input: null,
    services: convertWalletServices({ ...environment, walletAddress, to }),
    report: environment.reportError,
  })
  return (
    <ConvertWalletView
      state={state}
      send={send}
      walletAddress={walletAddress}
      backTo={to}
      supportPhone={supportPhone}
    />
  )
}
