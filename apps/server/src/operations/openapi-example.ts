import type { Call, Input, Parsed, Schema } from '@portico/contracts/call'

export interface CallExample {
  readonly request?: unknown
  readonly response?: unknown
  readonly query?: Readonly<Record<string, QueryExample>>
}

interface QueryExample {
  readonly description: string
  readonly example: unknown
}

type ExamplePart<Key extends string, S extends Schema | undefined, Value> = S extends Schema
  ? { readonly [K in Key]: Value }
  : unknown

type ExampleOf<C extends Call> = ExamplePart<'request', C['body'], Input<C['body']>> &
  ExamplePart<'response', C['answer'], Parsed<C['answer']>> &
  ExamplePart<'query', C['query'], { readonly [K in keyof Input<C['query']>]-?: QueryExample }>

/** An example of a call's input and response, checked by the compiler. */
export function example<C extends Call>(
  call: C,
  example: ExampleOf<C> & CallExample,
): readonly [Call, CallExample] {
  return [call, example]
}
