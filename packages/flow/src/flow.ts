/**
 * Flows as data: a table maps each step to the events it handles and the state each event leads to. This file is the whole
 * kernel. It depends on no React, network, storage or clock, and has no nesting or parallel regions: a flow that seems to
 * need them is two flows.
 */

interface HasStep {
  readonly step: string
}
interface HasType {
  readonly type: string
}

/** The next state, followed by the commands to run while its step lasts. */
export type Next<State extends HasStep, Command extends HasType> = readonly [State, ...Command[]]

/** The event handlers of each step; events without a handler are ignored. */
export type Table<State extends HasStep, Event extends HasType, Command extends HasType> = {
  readonly [Step in State['step']]: {
    readonly [Type in Event['type']]?: (
      state: Extract<State, { step: Step }>,
      event: Extract<Event, { type: Type }>,
    ) => Next<State, Command>
  }
}

/** A flow's name, initial transition and table, and the event sent to it when a service throws. */
export interface Flow<
  State extends HasStep,
  Event extends HasType,
  Command extends HasType,
  Input,
> {
  readonly name: string
  readonly begin: (input: Input) => Next<State, Command>
  readonly failed: Event
  readonly on: Table<State, Event, Command>
}

/** Declares a flow; this function only checks its types. */
export function flow<State extends HasStep, Event extends HasType, Command extends HasType, Input>(
  declared: Flow<State, Event, Command, Input>,
): Flow<State, Event, Command, Input> {
  return declared
}

/** Applies an event to a state. Returns the same state without commands if the step does not handle the event. */
export function transition<State extends HasStep, Event extends HasType, Command extends HasType>(
  { on }: { readonly on: Table<State, Event, Command> },
  state: State,
  event: Event,
): Next<State, Command> {
  const handlers = on[state.step as State['step']] as {
    readonly [type: string]: ((state: State, event: Event) => Next<State, Command>) | undefined
  }
  const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : undefined
  return handler === undefined ? [state] : handler(state, event)
}

/** A service's result: nothing, one event, or a stream of events that ends with its step. */
export type Answer<Event> = Event | undefined | void | AsyncIterable<Event>

/** One function per command. `signal` aborts when the step that issued the command is left. */
export type Services<Event extends HasType, Command extends HasType> = {
  readonly [Type in Command['type']]: (
    command: Extract<Command, { type: Type }>,
    signal: AbortSignal,
  ) => Answer<Event> | Promise<Answer<Event>>
}

export interface RunningFlow<State, Event> {
  readonly state: () => State
  readonly send: (event: Event) => void
  readonly subscribe: (listener: () => void) => () => void
  readonly stop: () => void
}

/**
 * Runs a flow. Events are handled one at a time and in order, including those sent while another is being handled. Each
 * visit to a step has one abort signal: leaving the step aborts it and drops late results. A service that throws is a
 * defect: the error is passed to `report`, and the flow receives its `failed` event.
 */
export function runFlow<
  State extends HasStep,
  Event extends HasType,
  Command extends HasType,
  Input,
>(
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
