import type { Client } from '@portico/client/client'
import type { StoredJwt } from '@portico/client/stored-jwt'
import { NOTICES } from '@portico/contracts/errors'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import {
  type OperationResult,
  WALLET_APP_IDS,
  type WalletConnectService,
  WINDOW_MESSAGES,
} from '@portico/wallet-connect/session'
import type { Command, Event, Operation, Outcome } from './wallet-card.flow.ts'

/** What the card leans on. */
export interface WalletCardNeeds {
  readonly client: Client
  readonly jwt: Pick<StoredJwt, 'keep'>
  readonly wallet: Pick<
    WalletConnectService,
    | 'addListener'
    | 'disconnect'
    | 'init'
    | 'removeListener'
    | 'removePendingMethod'
    | 'signHexMessage'
    | 'signJWT'
    | 'state'
    | 'switchToGroup'
  >
}

/** The name under which the card's one request can be taken back. */
const CUSTOM_ID = 'wallet-card'

const NOT_CONNECTED = 'No wallet is connected'
const DISCONNECTED = 'You have disconnected it.'

/** Carries out what the card has done; each service reports back with an event. */
export function walletCardServices(needs: WalletCardNeeds): Services<Event, Command> {
  const { client, jwt, wallet } = needs
  const custom = { customId: CUSTOM_ID }

  /** §4.1: after a switch to a group completes, the identity token is refreshed. */
  async function refreshToken(): Promise<void> {
    const { address: walletAddress, representedGroupPolicy: group } = wallet.state
    const query = group === null ? {} : { groupPolicyAddress: group.address }
    const answer = await client(readWalletJwt, { query: { walletAddress, ...query } })
    jwt.keep(answer.jwt)
  }

  async function operate(operation: Operation): Promise<Outcome | undefined> {
    switch (operation.kind) {
      case 'connect':
        // What is next happens in the wallet, and the session says so by itself.
        await wallet.init({ walletAppId: WALLET_APP_IDS.FIGURE_HOSTED })
        return undefined
      case 'sign-message': {
        const told = await wallet.signHexMessage(operation.hex, custom)
        return outcomeOf(told, 'The message is signed', told.result?.signature)
      }
      case 'sign-token': {
        const told = await wallet.signJWT(undefined, custom)
        const until = told.result && new Date(told.result.expires * 1000).toLocaleTimeString()
        return outcomeOf(told, 'The token is signed', until && `It is good until ${until}.`)
      }
      case 'switch-group': {
        const told = await wallet.switchToGroup(operation.group)
        if (told.valid) await refreshToken()
        const title = operation.group === undefined ? 'You act as yourself' : 'You act for a group'
        return outcomeOf(told, title)
      }
      case 'disconnect':
        await wallet.disconnect(DISCONNECTED)
        return { tone: 'ok', title: NOT_CONNECTED, detail: DISCONNECTED }
    }
  }

  /** Listens at once, so that nothing is missed that the next command brings about. */
  function disconnections(signal: AbortSignal): AsyncGenerator<Event> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const heard = ({ result }: { result: { message?: string } }) => resolve(result.message ?? '')
    wallet.addListener(WINDOW_MESSAGES.DISCONNECT, heard)
    signal.addEventListener('abort', () => {
      wallet.removeListener(WINDOW_MESSAGES.DISCONNECT, heard)
      resolve(undefined)
    })
    return (async function* () {
      const detail = await promise
      if (detail === undefined) return
      yield { type: 'disconnected', outcome: { tone: 'ok', title: NOT_CONNECTED, detail } }
    })()
  }

  return {
    async readAccounts() {
      try {
        return { type: 'accountsRead', accounts: await client(readAccounts, {}) }
      } catch (error) {
        failureOf(error)
        const outcome = { tone: 'danger', title: NOTICES.accountsNotRetrieved } as const
        return { type: 'accountsNotRead', outcome }
      }
    },
    watchConnection: (_, signal) => disconnections(signal),
    async operate({ operation }) {
      try {
        return { type: 'ended', outcome: await operate(operation) }
      } catch (error) {
        const { notices, advice } = failureOf(error)
        const detail = [...notices, advice].filter(Boolean).join(' ')
        return { type: 'ended', outcome: { tone: 'danger', title: 'Not done', detail } }
      }
    },
    async withdraw() {
      // What was asked answers by itself once it is withdrawn; where it cannot be, the wallet has decided already.
      await wallet.removePendingMethod(CUSTOM_ID)
    },
  }
}

function outcomeOf({ valid, error }: OperationResult, title: string, detail?: string): Outcome {
  if (error !== undefined)
    return { tone: 'danger', title: 'Not done', detail: withoutPrefix(error) }
  return valid
    ? { tone: 'ok', title, detail }
    : { tone: 'danger', title: 'The signature is not that of the connected account', detail }
}

/** Errors of operations are texts that begin like this (protocol 12); a person needs what comes after. */
function withoutPrefix(error: string): string {
  return error.replace(/^Error: /, '')
}
