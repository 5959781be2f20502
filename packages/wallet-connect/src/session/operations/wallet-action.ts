import { type WalletAction, walletActionRequest } from '../../protocol/methods.ts'
import { type Operation, type OperationContext } from './operation.ts'

const REFUSED = 'The wallet did not do what was asked'

/** Switches the wallet to a group, or back to the individual if no group is given. */
export function switchToGroup(
  groupAddress: string | undefined,
  description: string | undefined,
  context: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  const payload = groupAddress ? { address: groupAddress } : undefined
  return action({ action: 'switchToGroup', payload }, description, context)
}

/** Withdraws an earlier request. */
export function removePendingMethod(
  customId: string,
  context: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  return action({ action: 'removePendingMethod', payload: { customId } }, undefined, context)
}

function action(
  walletAction: WalletAction,
  description = 'Send Wallet Action',
  { id, now }: Pick<OperationContext, 'id' | 'now'>,
): Operation {
  const request = walletActionRequest({ id, description, date: now, ...walletAction })
  return {
    method: walletAction.action,
    request,
    eventData: { ...walletAction, description, method: request.method },
    outcomeOf: (response) =>
      response
        ? { valid: true, result: response }
        : { valid: false, error: REFUSED, result: response },
  }
}
