import { ApiError } from '@portico/client/api-error'
import type { UserType } from '@portico/contracts/broker'
import * as calls from '@portico/contracts/sso-setup'
import type { Services } from '@portico/flow'
import { failureOf, withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { SetupStep } from './setup-steps.ts'
import type { Command, Event, Job } from './sso-setup.flow.ts'

interface OfSetup {
  readonly userType: UserType
}

export function ssoSetupServices({
  client,
  navigate,
  userType,
  openStep,
}: Pick<Environment, 'client' | 'navigate'> & {
  /** The setup in the page's address. */
  readonly userType: UserType
  readonly openStep: (step: SetupStep, userType: UserType, options?: { replace: boolean }) => void
}): Services<Event, Command> {
  const loaded = (setup: calls.Setup): Event => ({ type: 'loaded', setup })
  const saved = (setup: calls.Setup): Event => ({ type: 'saved', setup })

  async function check(domain: string, query: OfSetup, signal?: AbortSignal): Promise<Event> {
    const { setup, check } = await client(calls.checkDomain, {
      query,
      body: { domain },
      ...(signal && { signal }),
    })
    return { type: 'domainChecked', setup, check: { ...check, domain } }
  }

  // Not aborted: a submitted form is saved even if the user leaves the page.
  async function run(job: Job, version: number, query: OfSetup): Promise<Event> {
    switch (job.type) {
      case 'choose': {
        const { type: _, ...choice } = job
        return saved(await client(calls.chooseProvider, { query, body: { version, ...choice } }))
      }
      case 'saveOpenId': {
        const { type: _, ...values } = job
        return saved(await client(calls.saveOpenId, { query, body: { version, ...values } }))
      }
      case 'saveSaml': {
        const { name, provider } = job
        return saved(await client(calls.saveSaml, { query, body: { version, name, provider } }))
      }
      case 'addDomain':
        return saved(await client(calls.addDomain, { query, body: { domain: job.domain } }))
      case 'removeDomain':
        return saved(await client(calls.removeDomain, { query, body: { domain: job.domain } }))
      case 'checkDomain':
        return check(job.domain, query)
      case 'saveAttributes': {
        const { type: _, ...names } = job
        const given = Object.entries(names).filter(([, value]) => value !== '')
        return saved(
          await client(calls.saveAttributes, {
            query,
            body: { version, ...Object.fromEntries(given) },
          }),
        )
      }
      case 'test': {
        const { setup, redirect } = await client(calls.beginTest, { query, body: { version } })
        return redirect === undefined ? saved(setup) : { type: 'testBegun', redirect }
      }
      case 'enable':
        return saved(await client(calls.enableProvider, { query, body: { version } }))
      case 'disable':
        return saved(await client(calls.disableProvider, { query, body: { version } }))
      case 'revokeToken':
        return saved(await client(calls.revokeDirectoryToken, { query, body: { id: job.id } }))
      case 'createToken':
        return { type: 'tokenCreated', ...(await client(calls.createDirectoryToken, { query })) }
    }
  }

  return withRefusals<Event, Command>({
    open: async ({ token }) => loaded(await client(calls.openSetup, { body: { token } })),
    load: async (_, signal) =>
      loaded(await client(calls.readSetup, { query: { userType }, signal })),
    async run({ job, version, userType }) {
      try {
        return await run(job, version, { userType })
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'setup-changed') throw error
        const setup = await client(calls.readSetup, { query: { userType } })
        return { type: 'changedElsewhere', setup, failure: failureOf(error) }
      }
    },
    recheck: async ({ domain, userType }, signal) => {
      // Only failures of the Check button are shown.
      return check(domain, { userType }, signal).catch(() => undefined)
    },
    proceed: ({ to, userType, first = false }) => openStep(to, userType, { replace: first }),
    leave: ({ redirect }) => navigate(redirect),
  })
}
