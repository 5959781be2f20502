/**
 * Tools for testing and documenting flows: every transition reachable with sample inputs and events, a random walk checked
 * against invariants, and a diagram.
 */
import { type Flow, type Next, transition } from './flow.ts'

/** Sample inputs and events of a flow: every event type, with every variant that behaves differently. */
export interface Samples<Input, Event> {
  readonly inputs: readonly Input[]
  readonly events: readonly Event[]
}

/** One transition, drawn as an arrow in the diagram. */
export interface Move {
  readonly from: string
  readonly event: string
  readonly to: string
  readonly commands: readonly string[]
}

interface HasStep {
  readonly step: string
}
interface HasType {
  readonly type: string
}

/** The number of distinct states after which `moves` fails, because the state space seems unbounded. */
const MAX_STATES = 5000

/** Every transition reachable with the samples, found by applying each event to each reachable state. */
export function moves<State extends HasStep, Event extends HasType, Command extends HasType, Input>(
  flow: Flow<State, Event, Command, Input>,
  samples: Samples<Input, Event>,
): Move[] {
  const found = new Map<string, Move>()
  const reached = new Map<string, State>()
  const waiting: State[] = []
  const reach = (state: State) => {
    const key = JSON.stringify(state)
    if (reached.has(key)) return
    if (reached.size >= MAX_STATES) throw new Error(`flow ${flow.name} has too many states`)
    reached.set(key, state)
    waiting.push(state)
  }
  const note = (from: string, event: string, [to, ...commands]: readonly [State, ...Command[]]) => {
    const move = { from, event, to: to.step, commands: commands.map(({ type }) => type) }
    found.set(JSON.stringify(move), move)
    reach(to)
  }
  for (const input of samples.inputs) note('[*]', '', flow.begin(input))
  for (let state = waiting.shift(); state !== undefined; state = waiting.shift()) {
    for (const event of samples.events) {
      const next: readonly [State, ...Command[]] = transition(flow, state, event)
      if (next[0] !== state || next.length > 1) note(state.step, event.type, next)
    }
  }
  return [...found.values()]
}

/** The flow as a Mermaid state diagram; commands follow a slash. */
export function diagram(name: string, moves: readonly Move[]): string {
  const arrows = new Set(
    moves.map(({ from, event, to, commands }) => {
      const label = [event, commands.length > 0 ? `/ ${commands.join(', ')}` : '']
        .filter(Boolean)
        .join(' ')
      return `  ${from} --> ${to}${label === '' ? '' : `: ${label}`}`
    }),
  )
  return `# ${name}\n\n\`\`\`mermaid\nstateDiagram-v2\n${[...arrows].join('\n')}\n\`\`\`\n`
}

/**
 * Applies random events to a flow and calls `invariant` after each. The sequence is the same on each run, and the
 * error of a failed walk lists the events that led to it.
 */
export function walk<State extends HasStep, Event extends HasType, Command extends HasType, Input>(
  flow: Flow<State, Event, Command, Input>,
  samples: Samples<Input, Event>,
  options: {
    readonly steps: number
    readonly invariant: (state: State, commands: readonly Command[], before: State) => void
  },
): void {
  const random = seededRandom()
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error(`flow ${flow.name} has no samples`)
    return item
  }
  let [state] = flow.begin(pick(samples.inputs))
  const events: string[] = []
  for (let taken = 0; taken < options.steps; taken += 1) {
    if (random() < 0.02) {
      state = flow.begin(pick(samples.inputs))[0]
      events.length = 0
    }
    const event = pick(samples.events)
    events.push(event.type)
    const before = state
    const [next, ...commands] = transition(flow, state, event)
    state = next
    try {
      options.invariant(state, commands, before)
    } catch (error) {
      throw new Error(`flow ${flow.name} violates its invariant after ${events.join(', ')}`, {
        cause: error,
      })
    }
  }
}

/** The state after a sequence of events, with the commands of the last one. */
export function after<State extends HasStep, Event extends HasType, Command extends HasType, Input>(
  flow: Flow<State, Event, Command, Input>,
  input: NoInfer<Input>,
  events: readonly NoInfer<Event>[] = [],
): Next<State, Command> {
  return events.reduce<Next<State, Command>>(
    ([state], event) => transition(flow, state, event),
    flow.begin(input),
  )
}

/** A deterministic generator of numbers in [0, 1). */
function seededRandom(): () => number {
  let seed = 20_260_101
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}
