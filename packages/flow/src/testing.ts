/**
 * Tools for tests and documentation of flows: every move a table makes from sample inputs and events, a random walk
 * held against invariants, and the diagram.
 */
import { type Flow, type Next, transition } from './flow.ts'

/** Inputs a flow may begin with and one event of each kind and flavor it may hear. */
export interface Samples<Input, Event> {
  readonly inputs: readonly Input[]
  readonly events: readonly Event[]
}

/** One arrow of a flow's diagram. */
export interface Move {
  readonly from: string
  readonly event: string
  readonly to: string
  readonly commands: readonly string[]
}

interface Stepped {
  readonly step: string
}
interface Typed {
  readonly type: string
}

/** How many distinct states `moves` looks at before it says that the flow keeps growing. */
const STATES_MAXIMUM = 5000

/** Every move that the samples can bring about, found by trying each event in each state that is reached. */
export function moves<State extends Stepped, Event extends Typed, Command extends Typed, Input>(
  flow: Flow<State, Event, Command, Input>,
  samples: Samples<Input, Event>,
): Move[] {
  const found = new Map<string, Move>()
  const reached = new Map<string, State>()
  const waiting: State[] = []
  const reach = (state: State) => {
    const key = JSON.stringify(state)
    if (reached.has(key)) return
    if (reached.size >= STATES_MAXIMUM) throw new Error(`flow ${flow.name} has too many states`)
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

/** The flow's diagram in Mermaid's state notation; commands stand behind a slash. */
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
 * Walks a flow at random and calls `invariant` after each move. `chance` gives numbers in [0, 1); a failing walk is
 * told with the events that led there.
 */
export function walk<State extends Stepped, Event extends Typed, Command extends Typed, Input>(
  flow: Flow<State, Event, Command, Input>,
  samples: Samples<Input, Event>,
  options: {
    readonly steps: number
    readonly chance: () => number
    readonly invariant: (state: State, commands: readonly Command[], before: State) => void
  },
): void {
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(options.chance() * items.length)]
    if (item === undefined) throw new Error(`flow ${flow.name} has no samples to walk with`)
    return item
  }
  let [state] = flow.begin(pick(samples.inputs))
  const events: string[] = []
  for (let taken = 0; taken < options.steps; taken += 1) {
    if (options.chance() < 0.02) {
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
      throw new Error(`flow ${flow.name} breaks its rule after ${events.join(', ')}`, {
        cause: error,
      })
    }
  }
}

/** The state after some events, with the commands of the last of them. */
export function after<State extends Stepped, Event extends Typed, Command extends Typed, Input>(
  flow: Flow<State, Event, Command, Input>,
  input: NoInfer<Input>,
  events: readonly NoInfer<Event>[] = [],
): Next<State, Command> {
  return events.reduce<Next<State, Command>>(
    ([state], event) => transition(flow, state, event),
    flow.begin(input),
  )
}

/** Numbers in [0, 1) that are the same in every run. */
export function chance(): () => number {
  let seed = 20_260_101
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
}
