/** The commands of `portico-admin`. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text as textOfStream } from 'node:stream/consumers'
import type { Funnel } from '@portico/contracts/admin/insight'
import type { Call, Input, Parsed } from '@portico/contracts/call'
import type { Label } from '@portico/contracts/organization'
import * as calls from './calls.ts'
import type { AdminClient, AdminInput } from './client.ts'
import { type Command, type CommandInput, type Option, UsageError } from './command-line.ts'
import { plainJson, timeText } from './output.ts'

/** A command failed for a reason that the client detected. */
export class CommandFailure extends Error {
  readonly isNotFound: boolean

  constructor(message: string, { isNotFound = false } = {}) {
    super(message)
    this.isNotFound = isNotFound
  }
}

/** The act waits for another operator's approval. The command has already printed this. */
export class ApprovalPending extends Error {}

type StartBody = Input<(typeof calls.startExperiment)['body']>

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const LIST_LENGTH = 50

const REASON: Option = {
  value: 'TEXT',
  help: 'The reason, stored in the audit log',
  required: true,
}
const ORGANIZATION: Option = { value: 'CODE', help: 'Only this organization' }
const LIMIT: Option = {
  value: 'NUMBER',
  help: `The maximum number of items, ${LIST_LENGTH} by default`,
}
const ALL: Option = { help: 'All items' }
const OUT: Option = { value: 'FILE', help: 'The output file; standard output by default' }
const DAYS = {
  from: { value: 'YYYY-MM-DD', help: 'The first day, in UTC', required: true },
  to: { value: 'YYYY-MM-DD', help: 'The last day', required: true },
} as const satisfies Record<string, Option>
const INSIGHT_OPTIONS = {
  ...DAYS,
  organization: ORGANIZATION,
  label: { value: 'LABEL', help: 'Only pages with this label' },
  device: { value: 'DEVICE', help: `Only ${calls.DEVICES.join(', ')}` },
  csv: { help: 'Download CSV' },
  out: { ...OUT, help: 'With --csv: the output file; standard output by default' },
} as const satisfies Record<string, Option>

/** Infers the types of a command declaration. */
const command = (declaration: Command): Command => declaration

const PEOPLE = [
  command({
    name: 'people find',
    summary:
      'Find people by a part of their email address or name, or by phone, ID or wallet, or list the newest.',
    arguments: ['[SEARCH]'],
    options: { organization: ORGANIZATION, limit: LIMIT, all: ALL },
    calls: [calls.findPeople],
    async run({ admin, output, arguments: [search], ...input }) {
      const query = omitUndefined({
        search,
        match: search === undefined ? undefined : ('part' as const),
        organizationCode: input.options['organization'],
      })
      await output.list(limited(admin.pages(calls.findPeople, { query }), input), {
        ID: (person) => person.identityUuid,
        EMAIL: (person) => person.email,
        ORGANIZATION: (person) => person.organizationCode,
        LOCKED: (person) => timeText(person.lockedAt),
        CREATED: (person) => timeText(person.createdAt),
      })
    },
  }),
  command({
    name: 'people show',
    summary: 'Show a person: factors, sessions, devices, wallets, passports, messages and events.',
    arguments: ['PERSON'],
    options: {},
    calls: [calls.readPerson],
    async run({ admin, output, arguments: [person = ''] }) {
      const { identityUuid } = await findPerson(admin, person)
      output.object(await admin.call(calls.readPerson, { query: { identityUuid } }))
    },
  }),
  act('people unlock', 'Unlock an account, and end the lockout after wrong attempts.', {
    call: calls.unlockPerson,
    done: 'is unlocked',
  }),
  act('people lock', 'Lock an account and end its sessions.', {
    call: calls.lockPerson,
    done: 'is locked',
  }),
  act('people end-sessions', 'End all sessions of a person and forget remembered devices.', {
    call: calls.endPersonSessions,
    done: 'has no sessions',
  }),
  command({
    name: 'people reset-factor',
    summary: `Remove a factor and end the sessions. FACTOR is one of ${calls.RESETTABLE_FACTORS.join(', ')}.`,
    arguments: ['PERSON', 'FACTOR'],
    options: { reason: REASON },
    calls: [calls.resetPersonFactor],
    async run({ admin, output, arguments: [person = '', name = ''], options }) {
      const factor = oneOf(calls.RESETTABLE_FACTORS, name, 'FACTOR')
      const { identityUuid, label } = await findPerson(admin, person)
      const body = { identityUuid, factor, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, calls.resetPersonFactor, body)
      output.result(result, actSentence(result, `${label} no longer has the factor ${factor}`))
    },
  }),
  command({
    name: 'people move',
    summary: 'Move a person to another organization.',
    arguments: ['PERSON', 'ORGANIZATION'],
    options: { reason: REASON },
    calls: [calls.changePersonOrganization],
    async run({ admin, output, arguments: [person = '', organizationCode = ''], options }) {
      const { identityUuid, label } = await findPerson(admin, person)
      const body = { identityUuid, organizationCode, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, calls.changePersonOrganization, body)
      output.result(result, actSentence(result, `${label} belongs to ${organizationCode}`))
    },
  }),
  command({
    name: 'people resend',
    summary: 'Send a waiting message now. `people show` lists the messages with their IDs.',
    arguments: ['PERSON', 'MESSAGE'],
    options: { reason: REASON },
    calls: [calls.resendPersonMessage],
    async run({ admin, output, arguments: [person = '', messageUuid = ''], options }) {
      const { identityUuid, label } = await findPerson(admin, person)
      const body = { identityUuid, messageUuid, reason: options['reason'] ?? '' }
      const result = await admin.call(calls.resendPersonMessage, { body })
      output.result(result, actSentence(result, `The message to ${label} is being sent`))
    },
  }),
  command({
    name: 'people export',
    summary: 'Print everything stored about a person as JSON. The person is notified by mail.',
    arguments: ['PERSON'],
    options: { reason: REASON },
    calls: [calls.exportPerson],
    async run({ admin, output, arguments: [person = ''], options }) {
      const { identityUuid } = await findPerson(admin, person)
      const body = { identityUuid, reason: options['reason'] ?? '' }
      const data = await admin.call(calls.exportPerson, { body })
      output.result(data, plainJson(data))
    },
  }),
  command({
    name: 'people delete',
    summary: 'Delete an account permanently. EMAIL is the complete address.',
    arguments: ['EMAIL'],
    options: {
      reason: REASON,
      'delete-hosted-wallets': { help: 'Also delete the keys of hosted wallets' },
    },
    calls: [calls.deletePerson],
    async run({ admin, output, arguments: [email = ''], options, flags }) {
      if (!email.includes('@')) throw new UsageError('Enter the complete email address.')
      const { identityUuid, label } = await findPerson(admin, email)
      const deleteHostedWallets = flags.has('delete-hosted-wallets')
      const body = { identityUuid, email, deleteHostedWallets, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, calls.deletePerson, body)
      output.result(result, actSentence(result, `${label} is deleted`))
    },
  }),
]

const ORGANIZATIONS = [
  command({
    name: 'organizations list',
    summary: 'List organizations with the state of their edits.',
    arguments: ['[SEARCH]'],
    options: { limit: LIMIT, all: ALL },
    calls: [calls.listOrganizations],
    async run({ admin, output, arguments: [search], ...input }) {
      const items = admin.pages(calls.listOrganizations, { query: omitUndefined({ search }) })
      await output.list(limited(items, input), {
        CODE: (each) => each.orgCode,
        NAME: (each) => each.name,
        VERSION: (each) => each.version,
        DRAFT: (each) => each.draft && `${each.draft.state} by ${each.draft.author}`,
      })
    },
  }),
  command({
    name: 'organizations show',
    summary: 'Show an organization: its file, draft, published version and effective values.',
    arguments: ['CODE'],
    options: {},
    calls: [calls.readOrganization],
    async run({ admin, output, arguments: [orgCode = ''] }) {
      output.object(await admin.call(calls.readOrganization, { query: { orgCode } }))
    },
  }),
  command({
    name: 'organizations history',
    summary: 'List the published versions of an organization.',
    arguments: ['CODE'],
    options: { limit: LIMIT, all: ALL },
    calls: [calls.readOrganizationHistory],
    async run({ admin, output, arguments: [orgCode = ''], ...input }) {
      const items = admin.pages(calls.readOrganizationHistory, { query: { orgCode } })
      await output.list(limited(items, input), {
        VERSION: (each) => each.version,
        PUBLISHED: (each) => timeText(each.publishedAt),
        BY: (each) => each.publishedBy,
        REASON: (each) => each.reason,
        FIELDS: (each) => each.differences.map(({ field }) => field).join(', '),
      })
    },
  }),
  command({
    name: 'organizations export',
    summary: 'Write a published organization as files of the configuration folder.',
    arguments: ['CODE', 'FOLDER'],
    options: {},
    calls: [calls.exportOrganization],
    async run({ admin, output, arguments: [orgCode = '', folder = ''] }) {
      const { files } = await admin.call(calls.exportOrganization, { query: { orgCode } })
      for (const file of files) {
        if (!isConfigurationPath(file.path)) {
          throw new CommandFailure(`The server sent a file with an invalid path: ${file.path}`)
        }
        const to = path.join(folder, file.path)
        mkdirSync(path.dirname(to), { recursive: true })
        writeFileSync(to, Buffer.from(file.content, 'base64'))
      }
      const paths = files.map((file) => file.path)
      output.result({ files: paths }, `Written to ${folder}: ${paths.join(', ')}`)
    },
  }),
  command({
    name: 'organizations import',
    summary: 'Save the files of a configuration folder as drafts. Nothing is published.',
    arguments: ['FOLDER'],
    options: {},
    calls: [calls.importOrganizations],
    async run({ admin, output, arguments: [folder = ''] }) {
      const files = configurationFiles(folder)
      const { items } = await admin.call(calls.importOrganizations, { body: { files } })
      await output.list(items, {
        FILE: (each) => each.path,
        ORGANIZATION: (each) => each.orgCode,
        SAVED: (each) => (each.isSaved ? 'yes' : 'no'),
        ERRORS: (each) => errorText(each.errors),
      })
      if (items.some(({ isSaved, errors }) => !isSaved || errors.length > 0)) {
        throw new CommandFailure('Some files were not saved, or cannot be published yet.')
      }
    },
  }),
  command({
    name: 'organizations publish',
    summary: 'Publish the draft of an organization. Every node shows it within seconds.',
    arguments: ['CODE'],
    options: { reason: REASON },
    calls: [calls.readOrganization, calls.publishOrganization],
    async run({ admin, output, arguments: [orgCode = ''], options }) {
      const { draft } = await admin.call(calls.readOrganization, { query: { orgCode } })
      if (draft === null) throw new CommandFailure(`${orgCode} has no draft to publish.`)
      const body = { orgCode, revision: draft.revision, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, calls.publishOrganization, body)
      if (result.outcome === 'published') {
        output.result(result, `${orgCode} is published as version ${result.version}.`)
      } else failPublication(result, orgCode)
    },
  }),
  command({
    name: 'organizations undo',
    summary: 'Publish an earlier version again, by default the previous one. 0 is the file alone.',
    arguments: ['CODE', '[VERSION]'],
    options: { reason: REASON },
    calls: [calls.readOrganization, calls.undoOrganization],
    async run({ admin, output, arguments: [orgCode = '', version], options }) {
      const { published } = await admin.call(calls.readOrganization, { query: { orgCode } })
      if (version === undefined && published.version === 0) {
        throw new CommandFailure(`${orgCode} has no published version; its file applies.`)
      }
      const body = {
        orgCode,
        version: version === undefined ? published.version - 1 : wholeNumber(version, 'VERSION'),
        current: published.version,
        reason: options['reason'] ?? '',
      }
      const result = await perform({ admin, output }, calls.undoOrganization, body)
      if (result.outcome === 'published') {
        const restored = body.version === 0 ? 'to its file' : `to version ${body.version}`
        output.result(
          result,
          `${orgCode} is back ${restored}, published as version ${result.version}.`,
        )
      } else failPublication(result, orgCode)
    },
  }),
]

const BANNERS = [
  command({
    name: 'banners list',
    summary: 'List the banners in the file, and those from the console with their drafts.',
    arguments: [],
    options: { limit: LIMIT, all: ALL },
    calls: [calls.listBanners],
    async run({ admin, output, ...input }) {
      await output.list(limited(admin.pages(calls.listBanners, {}), input), {
        ID: (each) => each.id,
        SHOWN: (each) => (each.isShown ? 'yes' : 'no'),
        VERSION: (each) => each.version,
        DRAFT: (each) => each.draft && `by ${each.draft.author}`,
        MESSAGE: (each) => each.published?.message ?? each.draft?.content['message'],
      })
    },
  }),
  command({
    name: 'banners publish',
    summary:
      'Publish a banner from a JSON file (- for standard input), or the draft of --id. docs/admin-api.md has an example.',
    arguments: ['[FILE]'],
    options: {
      reason: REASON,
      id: { value: 'ID', help: 'The banner to replace, or whose draft to publish' },
      'show-again': { help: 'Show it again to visitors who dismissed an earlier version' },
    },
    calls: [calls.publishBanner],
    run: publishBanner,
  }),
  command({
    name: 'banners end',
    summary: 'End a banner now, even one in the file.',
    arguments: ['ID'],
    options: { reason: REASON },
    calls: [calls.endBanner],
    async run({ admin, output, arguments: [id = ''], options }) {
      const banner = await findBanner(admin, id)
      if (banner === undefined) throw new CommandFailure(NO_BANNER, { isNotFound: true })
      const body = { id, version: banner.version, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, calls.endBanner, body)
      output.result(result, `Banner ${id} has ended.`)
    },
  }),
  command({
    name: 'banners history',
    summary: 'List the last published versions of a banner.',
    arguments: ['ID'],
    options: {},
    calls: [calls.readBannerHistory],
    async run({ admin, output, arguments: [id = ''] }) {
      const { items } = await admin.call(calls.readBannerHistory, { query: { id } })
      await output.list(items, {
        VERSION: (each) => each.version,
        PUBLISHED: (each) => timeText(each.publishedAt),
        BY: (each) => each.publishedBy,
        REASON: (each) => each.reason,
        MESSAGE: (each) => each.content.message,
      })
    },
  }),
]

const EXPERIMENTS = [
  command({
    name: 'experiments list',
    summary: 'List the experiments with their runs.',
    arguments: [],
    options: {},
    calls: [calls.listExperiments],
    async run({ admin, output }) {
      const { items } = await admin.call(calls.listExperiments, {})
      await output.list(items, {
        KEY: (each) => each.key,
        FILE: (each) => each.file && (each.file.on ? `${each.file.percent}%` : 'off'),
        RUN: (each) => each.runs[0] && `${each.runs[0].runId} ${each.runs[0].state}`,
        RUNS: (each) => each.runs.length,
      })
    },
  }),
  command({
    name: 'experiments start',
    summary: 'Start a run of an experiment, now or at a time. A running split cannot be changed.',
    arguments: ['KEY'],
    options: {
      percent: { value: 'NUMBER', help: 'The share of visitors who get it', required: true },
      outcome: {
        value: 'FUNNEL',
        help: `The funnel that counts as success: ${calls.FUNNELS.join(', ')}`,
        required: true,
      },
      organizations: { value: 'CODES', help: 'Only these organizations, separated by commas' },
      labels: { value: 'LABELS', help: 'Only pages with these labels, separated by commas' },
      from: { value: 'TIME', help: 'When it starts, in UTC; now by default' },
      until: { value: 'TIME', help: 'When it stops' },
      reason: REASON,
    },
    calls: [calls.startExperiment],
    async run({ admin, output, arguments: [key = ''], options }) {
      const listOf = (text: string | undefined) => text?.split(',').map((each) => each.trim())
      const from = timeOf(options['from'], '--from')
      const until = timeOf(options['until'], '--until')
      const body = {
        key,
        split: omitUndefined({
          percent: Number(options['percent']),
          outcome: options['outcome'],
          organizations: listOf(options['organizations']),
          labels: listOf(options['labels']),
        }),
        ...omitUndefined({ startsAt: from, stopsAt: until }),
        reason: options['reason'] ?? '',
      }
      // The server validates the values and reports invalid ones.
      const run = await perform({ admin, output }, calls.startExperiment, body as StartBody)
      output.result(run, `Run ${run.runId} of ${run.key} is ${run.state}.`)
    },
  }),
  command({
    name: 'experiments end',
    summary: 'End a run. This cannot be undone.',
    arguments: ['RUN'],
    options: {
      afterwards: {
        value: 'VALUE',
        help: `What visitors get afterwards: ${calls.AFTERWARDS.join(', ')}`,
        required: true,
      },
      reason: REASON,
    },
    calls: [calls.endExperiment],
    async run({ admin, output, arguments: [runId = ''], options }) {
      const afterwards = oneOf(calls.AFTERWARDS, options['afterwards'] ?? '', '--afterwards')
      const body = { runId, afterwards, reason: options['reason'] ?? '' }
      const run = await perform({ admin, output }, calls.endExperiment, body)
      output.result(run, `Run ${runId} of ${run.key} has ended.`)
    },
  }),
  command({
    name: 'experiments result',
    summary: 'Show the visitors, outcomes and verdict of a run, which is valid at any time.',
    arguments: ['RUN'],
    options: {},
    calls: [calls.readExperimentResult],
    async run({ admin, output, arguments: [runId = ''] }) {
      output.object(await admin.call(calls.readExperimentResult, { query: { runId } }))
    },
  }),
]

const AUDIT_OPTIONS = {
  person: { value: 'PERSON', help: 'Only entries about this person: an address or an ID' },
  operator: { value: 'ID', help: 'Only entries of this operator or service token' },
  kind: { value: 'KIND', help: 'Only this kind, such as sign-in-locked' },
  organization: ORGANIZATION,
  network: { value: 'ADDRESS', help: 'Only from this network address' },
  from: { value: 'TIME', help: 'From this time, in UTC: 2026-11-01 or 2026-11-01T09:30' },
  until: { value: 'TIME', help: 'Before this time' },
} as const satisfies Record<string, Option>

const AUDIT = [
  command({
    name: 'audit search',
    summary: 'List entries of the audit log, newest first.',
    arguments: [],
    options: { ...AUDIT_OPTIONS, limit: LIMIT, all: ALL },
    calls: [calls.searchAudit],
    async run({ admin, output, ...input }) {
      const query = await auditFilter(admin, input)
      await output.list(limited(admin.pages(calls.searchAudit, { query }), input), {
        TIME: (each) => timeText(each.at),
        KIND: (each) => each.kind,
        PERSON: (each) => each.person ?? each.identityUuid,
        ORGANIZATION: (each) => each.organizationCode,
        OPERATOR: (each) => each.operator ?? each.operatorId,
        DETAILS: (each) => each.details,
      })
    },
  }),
  command({
    name: 'audit export',
    summary: 'Download the matching entries of the audit log, newest first.',
    arguments: [],
    options: {
      ...AUDIT_OPTIONS,
      format: { value: 'FORMAT', help: 'csv or ndjson; ndjson by default' },
      out: OUT,
    },
    calls: [calls.exportAudit],
    async run({ admin, output, options }) {
      const format = oneOf(['csv', 'ndjson'] as const, options['format'] ?? 'ndjson', '--format')
      const query = { ...(await auditFilter(admin, { options })), format }
      await output.download(await admin.download(calls.exportAudit, { query }), options['out'])
    },
  }),
]

const INSIGHT = [
  command({
    name: 'insight funnel',
    summary: `Show how many visits reached each step of a funnel: ${calls.FUNNELS.join(', ')}.`,
    arguments: ['FUNNEL'],
    options: INSIGHT_OPTIONS,
    calls: [calls.readFunnel],
    async run({ admin, output, arguments: [name = ''], options, flags }) {
      const funnel: Funnel = oneOf(calls.FUNNELS, name, 'FUNNEL')
      const query = { ...insightRange(options), funnel }
      if (flags.has('csv')) {
        await output.download(await admin.download(calls.exportFunnel, { query }), options['out'])
      } else {
        const { steps } = await admin.call(calls.readFunnel, { query })
        await output.list(steps, {
          STEP: (each) => each.step,
          VISITS: (each) => each.count,
          BEFORE: (each) => each.before,
        })
      }
    },
  }),
  command({
    name: 'insight series',
    summary: 'Show a count over time, such as visits, problems or sign-in-locked.',
    arguments: ['METRIC'],
    options: {
      ...INSIGHT_OPTIONS,
      by: { value: 'VALUE', help: `One series per ${calls.SERIES_DIVISIONS.join(' or ')}` },
    },
    calls: [calls.readSeries],
    async run({ admin, output, arguments: [name = ''], options, flags }) {
      const metric = oneOf(calls.SERIES, name, 'METRIC')
      const by = options['by'] && oneOf(calls.SERIES_DIVISIONS, options['by'], '--by')
      const query = { ...insightRange(options), metric, ...(by ? { by } : {}) }
      if (flags.has('csv')) {
        await output.download(await admin.download(calls.exportSeries, { query }), options['out'])
      } else {
        const { series } = await admin.call(calls.readSeries, { query })
        await output.list(series, {
          NAME: (each) => each.name,
          TOTAL: (each) => each.total,
          BEFORE: (each) => each.totalBefore,
        })
      }
    },
  }),
]

const REQUESTS = [
  command({
    name: 'requests list',
    summary: 'List requests for acts that need a second operator, newest first.',
    arguments: [],
    options: { waiting: { help: 'Only waiting requests' }, limit: LIMIT, all: ALL },
    calls: [calls.listActRequests],
    async run({ admin, output, ...input }) {
      const query = input.flags.has('waiting') ? { state: 'waiting' as const } : {}
      await output.list(limited(admin.pages(calls.listActRequests, { query }), input), {
        ID: (each) => each.requestUuid,
        STATE: (each) => each.state,
        ACT: (each) => each.act,
        SUBJECT: (each) => each.subject,
        'REQUESTED BY': (each) => each.requestedBy,
        EXPIRES: (each) => timeText(each.expiresAt),
      })
    },
  }),
  command({
    name: 'requests show',
    summary: 'Show a request: the act, the requester and the status.',
    arguments: ['ID'],
    options: {},
    calls: [calls.readActRequest],
    async run({ admin, output, arguments: [requestUuid = ''] }) {
      output.object(await admin.call(calls.readActRequest, { query: { requestUuid } }))
    },
  }),
  command({
    name: 'requests withdraw',
    summary: 'Withdraw a request of this token. Only people can approve or decline.',
    arguments: ['ID'],
    options: { reason: REASON },
    calls: [calls.withdrawActRequest],
    async run({ admin, output, arguments: [requestUuid = ''], options }) {
      const body = { requestUuid, reason: options['reason'] ?? '' }
      const result = await admin.call(calls.withdrawActRequest, { body })
      output.result(result, `Request ${requestUuid} is withdrawn.`)
    },
  }),
]

const TOKEN = command({
  name: 'token',
  summary: 'Show what the service token may do, and for which organizations.',
  arguments: [],
  options: {},
  calls: [calls.readOperator],
  async run({ admin, output }) {
    const { name, permissions, organizations } = await admin.call(calls.readOperator, {})
    output.object({ name, permissions, organizations })
  },
})

export const COMMANDS: readonly Command[] = [
  ...PEOPLE,
  ...ORGANIZATIONS,
  ...BANNERS,
  ...EXPERIMENTS,
  ...AUDIT,
  ...INSIGHT,
  ...REQUESTS,
  TOKEN,
]

/** A command for an act that needs only a person and a reason. */
function act(
  name: string,
  summary: string,
  {
    call,
    done,
  }: {
    /** The acts have the same types. */
    readonly call: typeof calls.unlockPerson
    readonly done: string
  },
): Command {
  return {
    name,
    summary,
    arguments: ['PERSON'],
    options: { reason: REASON },
    calls: [call],
    async run({ admin, output, arguments: [person = ''], options }) {
      const { identityUuid, label } = await findPerson(admin, person)
      const body = { identityUuid, reason: options['reason'] ?? '' }
      const result = await perform({ admin, output }, call, body)
      output.result(result, actSentence(result, `${label} ${done}`))
    },
  }
}

/**
 * Calls an act and returns its response once the act is done.
 *
 * @throws ApprovalPending - if another operator must approve it first
 */
async function perform<C extends Call & { readonly accepted: typeof calls.ApprovalNeeded }>(
  { admin, output }: Pick<CommandInput, 'admin' | 'output'>,
  call: C,
  body: Input<C['body']>,
): Promise<Parsed<C['answer']>> {
  // Every act has a body and no query.
  const answer: unknown = await admin.call(call, { body } as AdminInput<C>)
  const { outcome } = answer as { readonly outcome?: unknown }
  if (outcome !== 'approval-needed') return answer as Parsed<C['answer']>
  const { requestUuid, expiresAt } = answer as calls.ApprovalNeeded
  output.result(
    answer as calls.ApprovalNeeded,
    `Nothing has changed yet. Another operator has to approve request ${requestUuid} in the console before ${timeText(expiresAt)}.`,
  )
  throw new ApprovalPending()
}

const actSentence = ({ changed }: { readonly changed: boolean }, sentence: string) =>
  changed ? `${sentence}.` : `Nothing to change: ${sentence}.`

/** The person with this ID, or a search's only match. */
async function findPerson(
  admin: AdminClient,
  search: string,
): Promise<{ readonly identityUuid: string; readonly label: string }> {
  if (UUID.test(search)) return { identityUuid: search, label: search }
  const { items } = await admin.call(calls.findPeople, { query: { search, limit: '5' } })
  const [person, ...others] = items
  if (person === undefined) {
    throw new CommandFailure(
      `No one was found for '${search}'. Enter the complete email address, phone, ID or wallet of a person in the token's organizations.`,
      { isNotFound: true },
    )
  }
  if (others.length > 0) {
    const found = items.map(({ identityUuid, email }) => `  ${identityUuid}  ${email}`)
    throw new CommandFailure(
      ['Several people were found. Enter the ID of one:', ...found].join('\n'),
    )
  }
  return { identityUuid: person.identityUuid, label: person.email }
}

const NO_BANNER =
  'No banner has this ID, or the token may not edit it. See portico-admin banners list.'

async function findBanner(admin: AdminClient, id: string) {
  for await (const banner of admin.pages(calls.listBanners, {})) {
    if (banner.id === id) return banner
  }
  return undefined
}

async function publishBanner({
  admin,
  output,
  arguments: [file],
  options,
  flags,
}: CommandInput): Promise<void> {
  const id = options['id'] ?? randomUUID()
  const existing = options['id'] === undefined ? undefined : await findBanner(admin, id)
  if (options['id'] !== undefined && existing === undefined) {
    throw new CommandFailure(NO_BANNER, { isNotFound: true })
  }
  const draft = existing?.draft ?? undefined
  let revision: number
  if (file === undefined) {
    if (draft === undefined) {
      throw new UsageError('Enter a FILE, or the --id of a banner with a draft.')
    }
    revision = draft.revision
  } else {
    if (draft !== undefined) {
      throw new CommandFailure(
        `Banner ${id} has a draft by ${draft.author}. Publish it (without FILE) or discard it in the console first.`,
      )
    }
    const content = bannerContent(await readJsonFile(file))
    const baseVersion = existing?.version ?? 0
    const saved = await admin.call(calls.saveBannerDraft, {
      body: { id, content, revision: 0, baseVersion },
    })
    if (saved.outcome === 'conflict') failPublication(saved, `Banner ${id}`)
    if (saved.errors.length > 0) {
      await admin.call(calls.discardBannerDraft, { body: { id, revision: saved.revision } })
      throw new CommandFailure(`The banner is invalid: ${errorText(saved.errors)}.`)
    }
    revision = saved.revision
  }
  const showAgain = flags.has('show-again')
  const body = { id, revision, showAgain, reason: options['reason'] ?? '' }
  const result = await perform({ admin, output }, calls.publishBanner, body)
  if (result.outcome === 'published') {
    output.result({ id, ...result }, `Banner ${id} is published as version ${result.version}.`)
  } else failPublication(result, `Banner ${id}`)
}

/** Fills in omitted fields and converts dates. The server validates everything else. */
function bannerContent(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError('The file must contain a JSON object. docs/admin-api.md has an example.')
  }
  const {
    startsAt = null,
    endsAt = null,
    organizationCodes = null,
    ...rest
  } = value as Record<string, unknown>
  const time = (each: unknown) => (typeof each === 'string' ? timeOf(each, 'The file') : each)
  return { ...rest, startsAt: time(startsAt), endsAt: time(endsAt), organizationCodes }
}

type Refused =
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'invalid'; readonly errors: readonly FieldError[] }

function failPublication(result: Refused, name: string): never {
  throw new CommandFailure(
    result.outcome === 'conflict'
      ? `Another operator has changed ${name} in the meantime. Nothing was published. Check the change and try again.`
      : `${name} is invalid, so nothing was published: ${errorText(result.errors)}.`,
  )
}

interface FieldError {
  readonly field: string
  readonly message: string
}

const errorText = (errors: readonly FieldError[]) =>
  errors.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')

async function auditFilter(admin: AdminClient, { options }: Pick<CommandInput, 'options'>) {
  const { person, operator, kind, organization, network, from, until } = options
  const about = person === undefined ? undefined : await findPerson(admin, person)
  return omitUndefined({
    identityUuid: about?.identityUuid,
    operatorId: operator,
    kind,
    organizationCode: organization,
    network,
    from: timeOf(from, '--from')?.toString(),
    until: timeOf(until, '--until')?.toString(),
  })
}

function insightRange(options: CommandInput['options']) {
  const { from = '', to = '', organization, label, device } = options
  return {
    from,
    to,
    ...omitUndefined({
      organizationCode: organization,
      label,
      device: device === undefined ? undefined : oneOf(calls.DEVICES, device, '--device'),
    }),
  } as { from: string; to: string; label?: Label }
}

async function* limited<Item>(
  items: AsyncIterable<Item>,
  { options, flags }: Pick<CommandInput, 'options' | 'flags'>,
): AsyncGenerator<Item> {
  const limit = flags.has('all')
    ? Number.POSITIVE_INFINITY
    : wholeNumber(options['limit'] ?? `${LIST_LENGTH}`, '--limit')
  let count = 0
  for await (const item of items) {
    if (count >= limit) return
    count += 1
    yield item
  }
}

function wholeNumber(text: string, name: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${name} must be a whole number.`)
}

function oneOf<const Word extends string>(
  words: readonly Word[],
  text: string,
  name: string,
): Word {
  const word = words.find((each) => each === text)
  if (word === undefined) throw new UsageError(`${name} must be one of ${words.join(', ')}.`)
  return word
}

/** A date or time, in UTC unless it has an offset. */
function timeOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined
  const isPlain = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text)
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(isPlain ? `${text}Z` : text) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new UsageError(`${name} must be a time such as 2026-11-01 or 2026-11-01T09:30Z.`)
}

/** Omits undefined fields. */
function omitUndefined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }
}

const isConfigurationPath = (file: string) =>
  /^(?:organizations|logos|styles)\/[a-z0-9][\w-]*\.(?:json|svg|png|css)$/.test(file)

function configurationFiles(folder: string) {
  if (!existsSync(path.join(folder, 'organizations'))) {
    throw new UsageError(`${folder} has no folder named organizations.`)
  }
  return ['organizations', 'logos', 'styles']
    .filter((part) => existsSync(path.join(folder, part)))
    .flatMap((part) => readdirSync(path.join(folder, part)).map((name) => `${part}/${name}`))
    .filter(isConfigurationPath)
    .map((file) => ({
      path: file,
      content: readFileSync(path.join(folder, file)).toString('base64'),
    }))
}

async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(file === '-' ? await textOfStream(process.stdin) : readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
}
