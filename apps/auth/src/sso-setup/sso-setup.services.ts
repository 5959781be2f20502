import { ApiError } from '@portico/client/api-error'
import * as calls from '@portico/contracts/sso-setup'
import type { Services } from '@portico/flow'
import { failureOf, withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { SetupStep } from './setup-steps.ts'
import type { Command, Event, Job } from './sso-setup.flow.ts'

export function ssoSetupServices({
  client,
  navigate,
  openStep,
}: Pick<Environment, 'client' | 'navigate'> & {
  /** Without a step, the first one that is not complete. */
  readonly openStep: (step: SetupStep | undefined) => void
}): Services<Event, Command> {
  const loaded = (setup: calls.Setup): Event => ({ type: 'loaded', setup })
  const saved = (setup: calls.Setup): Event => ({ type: 'saved', setup })

  async function check(domain: string, signal?: AbortSignal): Promise<Event> {
    const { setup, check } = await client(calls.checkDomain, {
      body: { domain },
      ...(signal && { signal }),
    })
    return { type: 'domainChecked', setup, check: { ...check, domain } }
  }

  // Not aborted: what was sent is saved, even if the page is left.
  async function run(job: Job, version: number): Promise<Event> {
    switch (job.type) {
      case 'choose': {
        const { type: _, ...choice } = job
        return saved(await client(calls.chooseProvider, { body: { version, ...choice } }))
      }
      case 'saveOpenId': {
        const { type: _, ...values } = job
        return saved(await client(calls.saveOpenId, { body: { version, ...values } }))
      }
      case 'saveSaml': {
        const { name, provider } = job
        return saved(await client(calls.saveSaml, { body: { version, name, provider } }))
      }
      case 'addDomain':
        return saved(await client(calls.addDomain, { body: { domain: job.domain } }))
      case 'removeDomain':
        return saved(await client(calls.removeDomain, { body: { domain: job.domain } }))
      case 'checkDomain':
        return check(job.domain)
      case 'saveAttributes': {
        const { type: _, ...names } = job
        const given = Object.entries(names).filter(([, value]) => value !== '')
        return saved(
          await client(calls.saveAttributes, { body: { version, ...Object.fromEntries(given) } }),
        )
      }
      case 'test': {
        const { setup, redirect } = await client(calls.beginTest, { body: { version } })
        return redirect === undefined ? saved(setup) : { type: 'testBegun', redirect }
      }
      case 'enable':
        return saved(await client(calls.enableProvider, { body: { version } }))
      case 'disable':
        return saved(await client(calls.disableProvider, { body: { version } }))
    }
  }

  return withRefusals<Event, Command>({
    open: async ({ token }) => loaded(await client(calls.openSetup, { body: { token } })),
    load: async (_, signal) => loaded(await client(calls.readSetup, { signal })),
    async run({ job, version }) {
      try {
        return await run(job, version)
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'setup-changed') throw error
        const setup = await client(calls.readSetup, {})
        return { type: 'changedElsewhere', setup, failure: failureOf(error) }
      }
    },
    recheck: async ({ domain }, signal) => {
      // Only failures of the button are shown.
      return check(domain, signal).catch(() => undefined)
    },
    proceed: ({ to }) => openStep(to),
    leave: ({ redirect }) => navigate(redirect),
  })
}
