import { createHostedAccount } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../../environment.ts'
import type { Command, Event } from './create-figure.flow.ts'

/** What the form leans on. */
export interface CreateFigureDeps extends Pick<Environment, 'client'> {
  readonly onCreated: (address: string) => void
}

/** Carries out what the form has done; each service reports back with an event. */
export function createFigureServices({
  client,
  onCreated,
}: CreateFigureDeps): Services<Event, Command> {
  return {
    // Not aborted: an account that is being made is made whether or not the person waits for it here.
    async create({ name }) {
      try {
        const { address } = await client(createHostedAccount, { body: { name, default: true } })
        return { type: 'created', address }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    handBack: ({ address }) => onCreated(address),
  }
}
