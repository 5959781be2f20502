import type { PageData } from '@portico/contracts/page-data'
import { useFlow } from '@portico/flow/react'
import { useState, useSyncExternalStore } from 'react'
import { arrivalOf } from '../arrival.ts'
import { useEnvironment } from '../environment.ts'
import { wallet } from './wallet.flow.ts'
import { walletServices } from './wallet.services.ts'
import { WalletView } from './wallet.view.tsx'

/** The wallet, in a frame of one of our pages or in a top-level window. */
export function Wallet({ page }: { page: PageData }) {
  const environment = useEnvironment()
  const { parent, loadModule, reportError } = environment
  const arrival = arrivalOf(page.query, parent !== undefined)
  const [{ services, currentRequest }] = useState(() =>
    walletServices({
      ...environment,
      arrival,
      openConnection: async (deps) => {
        const { openConnection } = await loadModule(() => import('../connection/connection.ts'))
        return openConnection(deps)
      },
    }),
  )
  const [state, send] = useFlow(wallet, {
    input: { signedIn: page.session !== null },
    services,
    report: reportError,
  })
  // The server does not know whether the wallet is framed, and hydration must match the server's markup.
  const hydratedParent = useSyncExternalStore(
    never,
    () => parent,
    () => undefined,
  )
  return (
    <WalletView
      state={state}
      send={send}
      currentRequest={currentRequest}
      page={page}
      arrival={arrival}
      parent={hydratedParent}
    />
  )
}

const never = () => () => undefined
