import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { redirectTarget } from '@portico/rules/redirect-target'
import { openingInQuery, type WalletOpening, walletOpening } from '@portico/rules/wallet-opening'
import { loginPathBefore, verifyAddress } from '@portico/rules/wallet-redirects'
import { focusHere } from '@portico/shell/form'
import { lazyComponent } from '@portico/shell/lazy-component'
import { Waiting } from '@portico/shell/waiting'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../environment.ts'
import { type WalletScreen, walletInPath } from '../routes.ts'
import { openConnection } from './connection/connection.ts'
import { ConnectionProvider } from './connection/connection-context.tsx'
import type { ConvertWalletProps } from './convert-wallet/convert-wallet.tsx'
import { WalletModal } from './wallet-modal/wallet-modal.tsx'

const ConvertWallet = lazyComponent(async () => {
  const [{ ConvertWallet }, { openChain }, { httpChainNode }] = await Promise.all([
    import('./convert-wallet/convert-wallet.tsx'),
    import('@portico/chain-client/chain'),
    import('@portico/chain-client/http-chain-node'),
  ])
  const chain = openChain(httpChainNode('/chain'))
  return (props: Omit<ConvertWalletProps, 'chain'>) => <ConvertWallet {...props} chain={chain} />
})
const CreateFigure = lazyComponent(async () => {
  const { CreateFigure } = await import('./create-figure/create-figure.tsx')
  return CreateFigure
})
const CreateOrganization = lazyComponent(async () => {
  const { CreateOrganization } = await import('./create-organization/create-organization.tsx')
  return CreateOrganization
})
const CreateWallet = lazyComponent(async () => {
  const { CreateWallet } = await import('./create-wallet/create-wallet.tsx')
  return CreateWallet
})
const SelectWallet = lazyComponent(async () => {
  const { SelectWallet } = await import('./select-wallet/select-wallet.tsx')
  return SelectWallet
})

export type WalletScreensProps = {
  page: PageData
  screen: WalletScreen
  /** The path relative to the base, including its parameters. */
  path: string
  query: URLSearchParams
}

/**
 * The wallet screens (§2.2, §2.6). They require the stored token in addition to the cookie that the server checked;
 * without it the user logs in first and returns.
 */
export function WalletScreens(props: WalletScreensProps) {
  const { jwt, location, navigate } = useEnvironment()
  const [signedIn] = useState(() => jwt.read() !== undefined)
  useEffect(() => {
    const { pathname, search, hash } = location()
    if (!signedIn) navigate(loginPathBefore(`${pathname}${search}${hash}`))
  }, [signedIn, location, navigate])
  if (!signedIn) return <Waiting />
  return (
    <ConnectionProvider>
      <Screen {...props} />
    </ConnectionProvider>
  )
}

function Screen({ page: { supportPhone }, screen, path, query }: WalletScreensProps) {
  const { navigate } = useEnvironment()
  const [, goTo] = useLocation()
  const withQuery = (to: WalletScreen) => `${to}${asSearch(query)}`
  const leave = () => navigate(DEFAULT_REDIRECT)
  switch (screen) {
    case '/wallet':
      return <Account query={query} supportPhone={supportPhone} />
    case '/wallet/create-wallet':
      return (
        <CreateWallet
          connectHref={verifyAddress(redirectTarget(query.get('redirectUrl')))}
          onContinue={() => goTo(withQuery('/wallet/create-figure'))}
          onClose={leave}
        />
      )
    case '/wallet/create-figure': {
      const created = query.get('walletAddress')
      return created === null ? (
        <CreateFigure
          supportPhone={supportPhone}
          onBack={() => goTo(withQuery('/wallet/create-wallet'))}
          onClose={leave}
          // In the URL, so a reload connects this account instead of creating another.
          onCreated={(walletAddress) => {
            query.set('walletAddress', walletAddress)
            goTo(withQuery('/wallet/create-figure'), { replace: true })
          }}
        />
      ) : (
        <SelectWallet
          title="Connect your wallet"
          query={query}
          chosen={created}
          supportPhone={supportPhone}
        />
      )
    }
    case '/wallet/organization/select-account':
      return <Organization query={query} supportPhone={supportPhone} />
    case '/wallet/provenance/{walletAddress}/convert':
      return (
        <ConvertWallet
          walletAddress={walletInPath(path)}
          query={query}
          supportPhone={supportPhone}
        />
      )
  }
}

const asSearch = (query: URLSearchParams) => (query.size === 0 ? '' : `?${query}`)

/** Creating an organization: select the controlling wallet, then name the organization (§2.2). */
function Organization({ query, supportPhone }: { query: URLSearchParams; supportPhone: string }) {
  const [, goTo] = useLocation()
  const [walletAddress, setWalletAddress] = useState<string>()
  const show = () => goTo(`/wallet/organization/select-account?${query}`, { replace: true })
  return (
    <Stack>
      <h1 tabIndex={-1}>Create an Organization</h1>
      <p>Select the Individual Wallet that will be the controlling member of this Organization</p>
      {walletAddress === undefined ? (
        <SelectWallet
          query={query}
          chosen={query.get('walletAddress') ?? undefined}
          supportPhone={supportPhone}
          // In the URL, so a reload returns to the name form.
          onConnected={(address) => {
            query.set('walletAddress', address)
            show()
            setWalletAddress(address)
          }}
        />
      ) : (
        <CreateOrganization
          walletAddress={walletAddress}
          query={query}
          supportPhone={supportPhone}
          onBack={() => {
            query.delete('walletAddress')
            show()
            setWalletAddress(undefined)
          }}
        />
      )}
    </Stack>
  )
}

/** The wallet modal, and the page behind it if the user closes it without an account. */
function Account({ query, supportPhone }: { query: URLSearchParams; supportPhone: string }) {
  const { jwt, navigate } = useEnvironment()
  const [, goTo] = useLocation()
  const [open, setOpen] = useState(true)
  const to = redirectTarget(query.get('redirectUrl'))
  const show = (opening: WalletOpening) => {
    const there = openingInQuery(query, opening)
    if (`${there}` !== `${query}`) goTo(`/wallet${asSearch(there)}`, { replace: true })
  }
  const close = () => {
    // 'Choose an account' reopens the modal at the list.
    show({ section: 'Select' })
    setOpen(false)
  }
  if (open) {
    return (
      <WalletModal
        opening={walletOpening(query, jwt.read())}
        supportPhone={supportPhone}
        onMoved={show}
        onResult={({ kind }) => (kind === 'success' ? navigate(to) : close())}
      />
    )
  }
  return (
    <Stack>
      <h1 ref={focusHere} tabIndex={-1}>
        Your account
      </h1>
      <p>Choose the account to act as, then connect the wallet that signs for it.</p>
      <Stack gap="inside">
        <Button wide onClick={() => setOpen(true)}>
          Choose an account
        </Button>
        <AnchorButton kind="secondary" wide href={to}>
          Continue without an account
        </AnchorButton>
      </Stack>
    </Stack>
  )
}

/** Ends the wallet connection stored in this browser (§2.2). */
export async function disconnectWallet(origin: string): Promise<void> {
  const connection = openConnection(origin)
  connection.start()
  await connection.disconnect()
  // Wait until the wallet has been notified before the page navigates.
  await connection.flush()
}
