import {
  KEEPER_CALLS,
  responseOfError,
  SOURCE_CALLS,
  type WalletCall,
  type WalletResponse,
} from '../wallet-calls.ts'
import type { Wallet } from './open-wallet.ts'

/** Carries out a call of one of the extension's own windows. */
export async function serveCall(
  wallet: () => Promise<Wallet>,
  call: WalletCall,
  reportError: (error: unknown) => void,
): Promise<WalletResponse> {
  try {
    const { keeper, source } = await wallet()
    const [method, args] =
      'keeper' in call
        ? [keeper[call.keeper], KEEPER_CALLS[call.keeper].parse(call.args)]
        : [source[call.source], SOURCE_CALLS[call.source].parse(call.args)]
    // The schema of a name has the parameters of the function with that name.
    const value = await (method as (...args: unknown[]) => unknown)(...args)
    // The window repeats an answer that is lost because the worker is stopped.
    if ('source' in call && call.source === 'answer') {
      await source.answered(SOURCE_CALLS.answer.parse(call.args)[0])
    }
    return { value: value ?? null }
  } catch (error) {
    const response = responseOfError(error)
    if ('defect' in response) reportError(error)
    return response
  }
}
