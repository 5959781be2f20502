import { createHostedAccount } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../../environment.ts'
import type { Command, Event } from './create-figure.flow.ts'

export interface CreateFigureDeps extends Pick<Environment, 'client'> {
  readonly onCreated: (address: string) => void
}

export function createFigureServices({
  client,
  onCreated,
}: CreateFigureDeps): Services<Event, Command> {
  return {
    // Not aborted: the account is created even if the user leaves the form.
    async create({ name }) {
      try {
        const { address } = await client(createHostedAccount, { body: { name, default: true } })
        return { type: 'created', address }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    returnResult: ({ address }) => onCreated(address),
  }
}
