/**
 * Flows as data: a table says, for each step, which events it hears and what each leads to. This file is the whole
 * kernel. It knows no React, network, storage or clock, has no nesting and no parallel regions: a flow that seems to
 * need them is two flows.
 */

interface Stepped {
  readonly step: string
}
interface Typed {
  readonly type: string
}

/** The next state, then the commands that are to run while its step lasts. */
export type Next<State extends Stepped, Command extends Typed> = readonly [State, ...Command[]]

/** What each step does with each event it hears; an event it does not name changes nothing. */
export type Table<State extends Stepped, Event extends Typed, Command extends Typed> = {
  readonly [Step in State['step']]: {
    readonly [Type in Event['type']]?: (
      state: Extract<State, { step: Step }>,
      event: Extract<Event, { type: Type }>,
    ) => Next<State, Command>
  }
}

/** A flow: its name, how it begins, its table, and the event it hears when a service throws. */
export interface Flow<State extends Stepped, Event extends Typed, Command extends Typed, Input> {
  readonly name: string
  readonly begin: (input: Input) => Next<State, Command>
  readonly failed: Event
  readonly on: Table<State, Event, Command>
}

/** Declares a flow; the types are read from the table's annotations. */
export function flow<State extends Stepped, Event extends Typed, Command extends Typed, Input>(
  declared: Flow<State, Event, Command, Input>,
): Flow<State, Event, Command, Input> {
  return declared
}

/** Applies an event to a state. Where the step does not hear the event, gives back the same state and no commands. */
export function transition<State extends Stepped, Event extends Typed, Command extends Typed>(
  { on }: { readonly on: Table<State, Event, Command> },
  state: State,
  event: Event,
): Next<State, Command> {
  const heard = on[state.step as State['step']] as {
    readonly [type: string]: ((state: State, event: Event) => Next<State, Command>) | undefined
  }
  const handler = Object.hasOwn(heard, event.type) ? heard[event.type] : undefined
  return handler === undefined ? [state] : handler(state, event)
}

/** What a service answers: nothing, one event, or events for as long as its step lasts. */
export type Answer<Event> = Event | undefined | void | AsyncIterable<Event>

/** One function per command. `signal` aborts when the step that issued the command is left. */
export type Services<Event extends Typed, Command extends Typed> = {
  readonly [Type in Command['type']]: (
    command: Extract<Command, { type: Type }>,
    signal: AbortSignal,
  ) => Answer<Event> | Promise<Answer<Event>>
}

/** A flow that is running. */
export interface RunningFlow<State, Event> {
  readonly state: () => State
  readonly send: (event: Event) => void
  readonly subscribe: (listener: () => void) => () => void
  readonly stop: () => void
}

/**
 * Runs a flow. Events are handled one at a time, in order, also those sent while one is handled. Each visit to a step
 * has one abort signal; leaving the step aborts it and drops whatever still arrives from it. A service that throws is
 * a defect: it goes to `report`, and the flow hears its `failed` event.
 */
export function runFlow<State extends Stepped, Event extends Typed, Command extends Typed, Input>(
  declared: Flow<State, Event, Command, Input>,
  input: Input,
  services: Services<Event, Command>,
  report: (error: unknown) => void,
): RunningFlow<State, Event> {
  const inbox: Event[] = []
  const listeners = new Set<() => void>()
  let visit = new AbortController()
  let handling = false
  let [state, ...pending] = declared.begin(input)

  async function run(command: Command, { signal }: AbortController): Promise<void> {
    try {
      const service = services[command.type as Command['type']] as (
        command: Command,
        signal: AbortSignal,
      ) => Answer<Event> | Promise<Answer<Event>>
      const answer = await service(command, signal)
      if (answer === undefined || signal.aborted) return
      if (!(Symbol.asyncIterator in (answer as object))) return send(answer as Event)
      for await (const event of answer as AsyncIterable<Event>) {
        if (signal.aborted) return
        send(event)
      }
    } catch (error) {
      if (signal.aborted) return
      report(error)
      send(declared.failed)
    }
  }

  function enter([next, ...commands]: Next<State, Command>): void {
    const changed = next !== state
    if (next.step !== state.step) {
      visit.abort()
      visit = new AbortController()
    }
    state = next
    for (const command of commands) void run(command, visit)
    if (changed) for (const listener of listeners) listener()
  }

  function send(event: Event): void {
    inbox.push(event)
    if (handling) return
    handling = true
    try {
      for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) {
        if (!visit.signal.aborted) enter(transition(declared, state, next))
      }
    } finally {
      handling = false
    }
  }

  for (const command of pending) void run(command, visit)
  pending = []

  return {
    state: () => state,
    send,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => visit.abort(),
  }
}
