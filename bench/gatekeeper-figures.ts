import { ADD_ONS, FLOW_OPTIONS, type FlowRequest, INTENTS } from '@portico/contracts/flow-request'
import { readPassportStatus } from '@portico/contracts/passport'
import { PASSPORT_STATUSES } from '@portico/contracts/passport-status'
import { flowViolations, type GatekeeperPassport, passportPage } from '@portico/rules/gatekeeper'
import { type Figure, figure, perSecond } from './figure.ts'
import { anotherNetwork, wireRequest } from './load.ts'
import { measureAlternately } from './pairs.ts'
import { emptyRequests, signedIn } from './requests.ts'
import type { Engine } from './seeds.ts'
import { atFullSpeed, settle } from './server-figures.ts'
import { aSite, emptyServer } from './sites.ts'

const IDENTITIES = 10_000
const PEOPLE = 400
const REQUESTS = 4000
const DECISIONS = 2_000_000

/** Every intent, option, add-on and status once with every other: enough that no branch is predicted from the last one. */
const CASES = INTENTS.flatMap((intent) =>
  [undefined, ...FLOW_OPTIONS].flatMap((option) =>
    [undefined, ...ADD_ONS].flatMap((addOn) =>
      PASSPORT_STATUSES.map((status, index) => {
        const request: FlowRequest = {
          intent,
          redirectUrl: '/account',
          ...(option && { option }),
          ...(addOn && { addOns: [addOn] }),
        }
        const passport: GatekeeperPassport = {
          passportUuid: '0c9d4be5-6a4b-4b0e-8d3e-5f7c8a9b0c1d',
          status: {
            kycStatus: status,
            attestationStatus: PASSPORT_STATUSES[index % 5] ?? 'VALID',
            attestationVerificationStatus: PASSPORT_STATUSES[index % 3] ?? 'VALID',
          },
        }
        return { request, passport, connectedGroup: undefined }
      }),
    ),
  ),
)

/** Decisions of the gatekeeper's table (§4.10, §5), which runs in the page. */
export async function gatekeeperFigures(rounds: number): Promise<Figure[]> {
  const { serialized, table } = await measureAlternately(rounds, {
    serialized: async () => rateOf(({ request }) => JSON.stringify(request).length),
    table: async () =>
      rateOf((each) => passportPage(each).page.length + flowViolations(each).length),
  })
  return [
    figure({
      figure: 'Gatekeeper decisions, the table alone; serializing their requests',
      on: 'Node',
      ours: table,
      baseline: serialized,
      write: perSecond,
    }),
  ]
}

/** The call that reads what the gatekeeper decides on. */
export async function passportStatusFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  await using product = await site.serve()
  await using empty = await emptyServer()
  const people = await signedIn(product.port, site, 0, PEOPLE)
  const requests = Array.from({ length: REQUESTS }, (_, index) => {
    const { jwt = '', cookie = '' } = people[index % people.length] ?? {}
    const headers = { authorization: `Bearer ${jwt}`, cookie, ...anotherNetwork() }
    return wireRequest({ path: readPassportStatus.path, port: product.port, headers })
  })
  const bareRequests = emptyRequests(empty.port, requests[0] ?? '')
  await settle(empty.port, bareRequests, site)
  await settle(product.port, requests, site)
  const { bare, ours } = await measureAlternately(rounds, {
    bare: () => atFullSpeed(empty.port, bareRequests, site),
    ours: () => atFullSpeed(product.port, requests, site),
  })
  return [
    figure({
      figure: 'Passport statuses for a gatekeeper decision; an empty route',
      on: engine,
      ours,
      baseline: bare,
      write: perSecond,
    }),
  ]
}

/** Runs per second. The results are added up, so that none is optimized away. */
function rateOf(decide: (each: (typeof CASES)[number]) => number): number {
  let sum = 0
  const begin = performance.now()
  for (let done = 0; done < DECISIONS; done += CASES.length) {
    for (const each of CASES) sum += decide(each)
  }
  const seconds = (performance.now() - begin) / 1000
  if (sum === 0) throw new Error('Nothing was decided')
  return DECISIONS / seconds
}
