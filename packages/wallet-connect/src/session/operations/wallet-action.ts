import { type WalletAction, walletActionRequest } from '../../protocol/methods.ts'
import { type Asking, type Operation } from './operation.ts'

const REFUSED = 'The wallet did not do what was asked'

/** Asks the wallet to act for a group, or for oneself again where no group is given. */
export function switchToGroup(
  groupAddress: string | undefined,
  description: string | undefined,
  asking: Pick<Asking, 'id' | 'now'>,
): Operation {
  const payload = groupAddress ? { address: groupAddress } : undefined
  return action({ action: 'switchToGroup', payload }, description, asking)
}

/** Withdraws an earlier request. */
export function removePendingMethod(
  customId: string,
  asking: Pick<Asking, 'id' | 'now'>,
): Operation {
  return action({ action: 'removePendingMethod', payload: { customId } }, undefined, asking)
}

function action(
  wish: WalletAction,
  description = 'Send Wallet Action',
  { id, now }: Pick<Asking, 'id' | 'now'>,
): Operation {
  const request = walletActionRequest({ id, description, date: now, ...wish })
  return {
    method: wish.action,
    request,
    eventData: { ...wish, description, method: request.method },
    judge: (answer) =>
      answer ? { valid: true, result: answer } : { valid: false, error: REFUSED, result: answer },
  }
}
