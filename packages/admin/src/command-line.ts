/** The command line of `portico-admin`: parsing and help. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Call } from '@portico/contracts/call'
import type { AdminClient } from './client.ts'
import type { Output } from './output.ts'

/** The command line is invalid. */
export class UsageError extends Error {}

export interface Option {
  /** The name of its value in the help text; absent for a flag. */
  readonly value?: string
  readonly help: string
  readonly required?: true
}

export interface CommandInput {
  readonly admin: AdminClient
  readonly output: Output
  /** The arguments after the command's name; a missing one is undefined. */
  readonly arguments: readonly (string | undefined)[]
  readonly options: Readonly<Record<string, string | undefined>>
  readonly flags: ReadonlySet<string>
}

export interface Command {
  /** Such as `people unlock`. */
  readonly name: string
  readonly summary: string
  /** Such as `PERSON`; an optional one is in brackets and comes last. */
  readonly arguments: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  /** The calls it makes; the token needs their permissions. */
  readonly calls: readonly Call[]
  readonly run: (input: CommandInput) => Promise<void>
}

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly arguments: readonly (string | undefined)[]
      readonly options: Readonly<Record<string, string | undefined>>
      readonly flags: ReadonlySet<string>
    }

const JSON_OPTION: Option = { help: 'Print JSON: an object, or one object per line for a list' }

/** @throws UsageError */
export function parseCommandLine(
  commands: readonly Command[],
  words: readonly string[],
): CommandLine {
  const [first, second, ...rest] = words
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    return { kind: 'help', text: overview(commands) }
  }
  const single = commands.find(({ name }) => name === first)
  const command = single ?? commands.find(({ name }) => name === `${first} ${second}`)
  if (command === undefined) {
    const ofGroup = commands.filter(({ name }) => name.startsWith(`${first} `))
    if (ofGroup.length === 0) {
      throw new UsageError('Unknown command. portico-admin --help lists all commands.')
    }
    if (second === undefined || second === '--help' || second === '-h') {
      return { kind: 'help', text: overview(ofGroup) }
    }
    throw new UsageError(`Unknown command. portico-admin ${first} --help lists its commands.`)
  }
  return parseCommand(command, single === undefined ? rest : words.slice(1))
}

function parseCommand(command: Command, args: readonly string[]): CommandLine {
  const { values, positionals } = parseValues(command, args)
  if (values['help'] === true) return { kind: 'help', text: helpOf(command) }
  const help = `portico-admin ${command.name} --help explains it.`
  const required = command.arguments.filter((name) => !name.startsWith('['))
  if (positionals.length < required.length) {
    throw new UsageError(`${required[positionals.length]} is missing. ${help}`)
  }
  if (positionals.length > command.arguments.length) {
    // Does not repeat the argument, which may be a secret.
    throw new UsageError(`Too many arguments. Quote arguments that contain spaces. ${help}`)
  }
  const options: Record<string, string> = {}
  const flags = new Set<string>()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') options[name] = value
    else if (value === true) flags.add(name)
  }
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && (options[name] ?? '').trim() === '') {
      throw new UsageError(`--${name} ${option.value} is missing. ${help}`)
    }
  }
  const given = command.arguments.map((_, index) => positionals[index])
  return { kind: 'run', command, arguments: given, options, flags }
}

function parseValues(command: Command, args: readonly string[]) {
  const declared: ParseArgsOptionsConfig = {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
  }
  for (const [name, { value }] of Object.entries(command.options)) {
    declared[name] = { type: value === undefined ? 'boolean' : 'string' }
  }
  try {
    return parseArgs({ args: [...args], options: declared, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [sentence = ''] = error.message.split('. ')
    const known = Object.keys(declared).map((name) => `--${name}`)
    throw new UsageError(
      `${sentence.replace(/\.$/, '')}. ${command.name} has the options ${known.join(', ')}.`,
    )
  }
}

const usageOf = ({ name, arguments: args, options }: Command) =>
  [
    `portico-admin ${name}`,
    ...args,
    ...Object.entries(options)
      .filter(([, { required }]) => required)
      .map(([option, { value }]) => `--${option} ${value}`),
  ].join(' ')

function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [usageOf(command), command.summary] as const)
  return [
    'portico-admin COMMAND [OPTIONS]: Portico’s admin API on the command line.',
    '',
    ...rows.map(([usage, summary]) => `  ${usage}\n      ${summary}`),
    '',
    'Each command has --help and --json.',
    '',
    ENVIRONMENT,
  ].join('\n')
}

const ENVIRONMENT = `Environment:
  PORTICO_URL             the origin of the installation, such as https://login.lender.example
  PORTICO_ADMIN_TOKEN     a service token, ptk_…
  PORTICO_ALLOW_INSECURE  1 to send the token over plain http to another machine

A token is created and revoked by an administrator in the console, because no token may create tokens or appoint operators.
Everything else that its permissions include needs no confirmation by passkey, so keep the permissions of a token few.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 token refused or without the permission, 4 not found,
5 no answer or too many requests: try again later, 6 waiting for another operator's approval: see requests show.`

function helpOf(command: Command): string {
  const options = { ...command.options, json: JSON_OPTION }
  const names = Object.entries(options).map(([name, { value }]) =>
    value === undefined ? `--${name}` : `--${name} ${value}`,
  )
  const width = Math.max(...names.map(({ length }) => length))
  const permissions = [...new Set(command.calls.flatMap(({ permission }) => permission ?? []))]
  return [
    usageOf(command),
    '',
    command.summary,
    '',
    'Options:',
    ...Object.values(options).map(
      ({ help, required }, index) =>
        `  ${(names[index] ?? '').padEnd(width)}  ${help}${required ? ' (required)' : ''}`,
    ),
    '',
    permissions.length === 0
      ? 'Any valid service token is sufficient.'
      : `The token needs the permission ${permissions.join(' and ')}.`,
  ].join('\n')
}
