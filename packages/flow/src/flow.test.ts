import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { flow, type Next, runFlow, transition } from './flow.ts'
import { diagram, moves, walk } from './testing.ts'

type State = { step: 'idle' } | { step: 'busy'; job: number } | { step: 'done'; total: number }
type Event =
  | { type: 'requested'; job: number }
  | { type: 'finished'; total: number }
  | { type: 'cancelled' }
  | { type: 'broken' }
type Command = { type: 'work'; job: number } | { type: 'tick' }

const jobs = flow<State, Event, Command, { job?: number }>({
  name: 'jobs',
  begin: ({ job }): Next<State, Command> =>
    job === undefined
      ? [{ step: 'idle' }]
      : [
          { step: 'busy', job },
          { type: 'work', job },
        ],
  failed: { type: 'broken' },
  on: {
    idle: {
      requested: (_, { job }) => [
        { step: 'busy', job },
        { type: 'work', job },
      ],
    },
    busy: {
      finished: (_, { total }) => [{ step: 'done', total }],
      cancelled: () => [{ step: 'idle' }],
      broken: () => [{ step: 'idle' }],
      requested: (state, { job }) => [
        { ...state, job: state.job + job },
        { type: 'work', job },
      ],
    },
    done: {},
  },
})

const samples = {
  inputs: [{}, { job: 1 }],
  events: [
    { type: 'requested', job: 1 },
    { type: 'finished', total: 1 },
    { type: 'cancelled' },
    { type: 'broken' },
  ] satisfies Event[],
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
const neverReported = (error: unknown) => {
  throw error
}

test('an event that a step does not handle returns the same state', () => {
  const state: State = { step: 'done', total: 3 }
  expect(transition(jobs, state, { type: 'requested', job: 1 })).toEqual([state])
  expect(transition(jobs, state, { type: 'requested', job: 1 })[0]).toBe(state)
})

test('an event named like an inherited property is not handled', () => {
  const state: State = { step: 'idle' }
  expect(transition(jobs, state, { type: 'toString' } as unknown as Event)).toEqual([state])
})

test('events sent while one is handled are handled afterwards, in order', () => {
  const seen: string[] = []
  const running = runFlow(jobs, {}, { work: () => undefined, tick: () => undefined }, neverReported)
  running.subscribe(() => {
    seen.push(running.state().step)
    if (running.state().step === 'busy') {
      running.send({ type: 'finished', total: 1 })
      running.send({ type: 'cancelled' })
      expect(running.state().step).toBe('busy')
    }
  })
  running.send({ type: 'requested', job: 1 })
  expect(seen).toEqual(['busy', 'done'])
})

test('leaving a step aborts its signal and drops its late result', async () => {
  const visits: { answer: (event: Event) => void; signal: AbortSignal }[] = []
  const running = runFlow(
    jobs,
    {},
    {
      work: (_, signal) => new Promise<Event>((answer) => visits.push({ answer, signal })),
      tick: () => undefined,
    },
    neverReported,
  )
  running.send({ type: 'requested', job: 1 })
  running.send({ type: 'cancelled' })
  running.send({ type: 'requested', job: 2 })
  visits[0]?.answer({ type: 'finished', total: 99 })
  await settled()
  expect(visits.map(({ signal }) => signal.aborted)).toEqual([true, false])
  expect(running.state()).toEqual({ step: 'busy', job: 2 })
})

test('a stream of events ends with its step', async () => {
  let ended = false
  const running = runFlow(
    jobs,
    { job: 1 },
    {
      work: async function* () {
        try {
          yield { type: 'requested', job: 1 } as const
          yield { type: 'finished', total: 2 } as const
          yield { type: 'cancelled' } as const
        } finally {
          ended = true
        }
      },
      tick: () => undefined,
    },
    neverReported,
  )
  await settled()
  expect(running.state()).toEqual({ step: 'done', total: 2 })
  expect(ended).toBe(true)
})

test('a service that throws is reported, and the flow receives its failed event', async () => {
  const reported: unknown[] = []
  const running = runFlow(
    jobs,
    { job: 1 },
    {
      work: () => {
        throw new Error('broken pipe')
      },
      tick: () => undefined,
    },
    (error) => reported.push(error),
  )
  await settled()
  expect(running.state()).toEqual({ step: 'idle' })
  expect(reported).toHaveLength(1)
})

test('a stopped flow handles no more events', () => {
  const running = runFlow(jobs, {}, { work: () => undefined, tick: () => undefined }, neverReported)
  running.stop()
  running.send({ type: 'requested', job: 1 })
  expect(running.state()).toEqual({ step: 'idle' })
})

test('for any events, the running flow ends in the same state as applying them one by one', () => {
  const event = fc.constantFrom<Event>(...samples.events)
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const running = runFlow(
        jobs,
        {},
        { work: () => undefined, tick: () => undefined },
        neverReported,
      )
      for (const each of events) running.send(each)
      const expected = events.reduce<State>((state, each) => transition(jobs, state, each)[0], {
        step: 'idle',
      })
      expect(running.state()).toEqual(expected)
    }),
  )
})

test('moves finds every transition and the diagram shows it', () => {
  const finite = { ...samples, events: samples.events.filter(({ type }) => type !== 'requested') }
  const found = moves(jobs, finite)
  expect(found).toContainEqual({ from: 'busy', event: 'finished', to: 'done', commands: [] })
  expect(diagram('jobs', found)).toContain('  [*] --> busy: / work')
  expect(() => moves(jobs, samples)).toThrow('too many states')
})

test('a walk that violates an invariant lists the events that led there', () => {
  expect(() =>
    walk(jobs, samples, {
      steps: 500,
      invariant: ({ step }) => expect(step).not.toBe('done'),
    }),
  ).toThrow(/after .*finished/)
  walk(jobs, samples, {
    steps: 500,
    invariant: (_, commands) => expect(commands.length).toBeLessThan(2),
  })
})
