import { ApiError } from '@portico/client/api-error'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { readAccounts, selectAccount } from '@portico/contracts/wallet'
import type { AccountChoice } from '@portico/rules/account-sections'
import { chosenCredentials } from '@portico/rules/chosen-credentials'
import { tokenClaims } from '@portico/rules/token-claims'
import { connectAddress, verifyWalletAddress } from '@portico/rules/wallet-redirects'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'
import { useLoad } from '@portico/shell/use-call'
import { useToast } from '@portico/ui/toast'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import type { Accounts } from '../accounts.ts'
import { useEnvironment } from '../environment.ts'
import { readActing } from '../read-acting.ts'

/** The user's accounts, which every signed-in page shares. */
export interface ActingAccount {
  /** Undefined until they are loaded, or if loading failed. */
  readonly accounts: Accounts | undefined
  readonly failure: Failure | undefined
  readonly retry: () => void
  /** Loads the accounts again after a change. */
  readonly reload: () => void
  /** The account that is being switched to. */
  readonly choosing: AccountChoice | undefined
  /** Incremented by switches here and in other tabs, for components that depend on the account. */
  readonly switches: number
  /** Switches to another account. */
  readonly choose: (choice: AccountChoice) => void
}

export const ActingAccountContext = createContext<ActingAccount | undefined>(undefined)

export function useActingAccount(): ActingAccount {
  const acting = use(ActingAccountContext)
  if (acting === undefined) throw new Error('ActingAccountProvider not found')
  return acting
}

/** Loads the accounts, reloads them whenever the page stores a new identity token, and switches between them. */
export function ActingAccountProvider({ here, children }: { here: string; children: ReactNode }) {
  const environment = useEnvironment()
  const { client, jwt, reportError, storage, watchIdentityToken } = environment
  const showToast = useToast()
  const { result, failure, retry, reload } = useLoad<Accounts>(async (signal) => {
    const [items, acting] = await Promise.all([
      client(readAccounts, { signal }),
      readActing(environment),
    ])
    return { items, acting }
  }, reportError)
  const [switches, setSwitches] = useState(0)
  const actingAs = useRef<string>(undefined)
  const tokenAccount = () => JSON.stringify(tokenClaims(jwt.read()))
  const rememberAccount = useEffectEvent(() => {
    actingAs.current = tokenAccount()
  })
  const followOtherTab = useEffectEvent((stored: boolean) => {
    if (!stored || tokenAccount() === actingAs.current) return
    actingAs.current = tokenAccount()
    // This tab's choice is no longer the session's.
    storage.remove(STORAGE_KEYS.ownerWallet)
    reload()
    setSwitches((count) => count + 1)
  })
  useEffect(() => {
    rememberAccount()
    return jwt.watch(followOtherTab)
  }, [jwt])
  const readAgain = useEffectEvent(reload)
  // Runs once the code that stored the token has also stored its account.
  useEffect(
    () =>
      watchIdentityToken(() => {
        rememberAccount()
        queueMicrotask(readAgain)
      }),
    [watchIdentityToken],
  )
  const [choosing, setChoosing] = useState<AccountChoice>()

  const choose = (choice: AccountChoice) => {
    if (choosing !== undefined || isActing(result, choice)) return
    setChoosing(choice)
    select(choice)
      .catch((error: unknown) =>
        showToast({ tone: 'warn', text: textOf(error, choice, reportError) }),
      )
      .finally(() => setChoosing(undefined))
  }

  const select = async (choice: AccountChoice) => {
    const { hasWalletConnection, identityTokenUpdated, navigate } = environment
    try {
      const selected = await client(selectAccount, { body: chosenCredentials(choice) })
      jwt.write(selected.jwt)
      storage.write(STORAGE_KEYS.ownerWallet, choice.account.address)
      identityTokenUpdated()
      setSwitches((count) => count + 1)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403 || isSessionOver(error)) throw error
      // §4.2: an unverified or old wallet must be verified or converted first.
      navigate(verifyWalletAddress(choice.wallet.address, here))
      return
    }
    // §4.2: the connected wallet belongs to the previous account, so the new one's is connected instead.
    if (hasWalletConnection()) navigate(connectAddress(here))
  }

  return (
    <ActingAccountContext
      value={{
        accounts: result,
        failure: result === undefined ? failure : undefined,
        retry,
        reload,
        choosing,
        switches,
        choose,
      }}
    >
      {children}
    </ActingAccountContext>
  )
}

const isSessionOver = ({ reason }: ApiError) => reason === 'unauthenticated'

/** Whether the session acts as this account with this wallet. */
export function isActing(
  accounts: Accounts | undefined,
  { account, wallet }: AccountChoice,
): boolean {
  const acting = accounts?.acting
  return (
    acting?.account.address === account.address &&
    acting.authorizedWallet.address === wallet.address
  )
}

function textOf(
  error: unknown,
  { account }: AccountChoice,
  reportError: (error: unknown) => void,
): string {
  const title = `We could not switch to ${account.name}.`
  try {
    const { notices, advice } = failureOf(error)
    return [title, ...notices, advice].filter(Boolean).join(' ')
  } catch (defect) {
    reportError(defect)
    return `${title} Please try again.`
  }
}
