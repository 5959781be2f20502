import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { ERROR_CATALOGUE, type ErrorCode } from '@portico/contracts/errors'
import type { PageData } from '@portico/contracts/page-data'
import { type Flow, type Next, transition } from '@portico/flow'
import { ToastProvider } from '@portico/ui/toast'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import type { Environment, TextStorage } from './environment.ts'

/** The state after some events, with the commands of the last of them. */
export function after<
  State extends { step: string },
  Event extends { type: string },
  Command extends { type: string },
  Input,
>(
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

/** A client that answers from a table by the calls' names, and keeps what it was asked. */
export function fakeClient(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: { name: string; body?: unknown; headers?: Readonly<Record<string, string>> }[] = []
  const client: Client = async (call, { body, headers }) => {
    asked.push({
      name: call.name,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    })
    const answer = answers[call.name]
    if (answer instanceof Error) throw answer
    return answer as never // The table is the test's own.
  }
  return { client, asked }
}

/** What a call throws that the server refuses. */
export function refusal(code: ErrorCode, headers: Record<string, string> = {}): ApiError {
  const { status, message } = ERROR_CATALOGUE[code]
  const data = { code, message, errors: [message] }
  return new ApiError('refused', message, {
    response: new Response(null, { status, headers }),
    data,
  })
}

/** A storage that lasts as long as the test. */
export function memoryStorage(kept: Record<string, string> = {}): TextStorage {
  const texts = new Map(Object.entries(kept))
  return {
    read: (key) => texts.get(key),
    keep: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  }
}

/** A stored token that lasts as long as the test. */
export function memoryJwt(stored?: string): Environment['jwt'] & { readonly signOut: () => void } {
  let token = stored
  const listeners = new Set<(stored: boolean) => void>()
  return {
    read: () => token,
    keep: (jwt) => void (token = jwt),
    remove: () => void (token = undefined),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    signOut: () => {
      for (const listener of listeners) listener(false)
    },
  }
}

/** The signal of a step that nobody leaves. */
export const lasting = new AbortController().signal

/** What a person sees of a view: its texts in order, without the parts that are hidden. */
export function seen(view: ReactNode, path = '/auth/login') {
  const html = renderToStaticMarkup(
    <Router base="/auth" ssrPath={path}>
      <ToastProvider>{view}</ToastProvider>
    </Router>,
  )
  return { html, text: textOf(html) }
}

function textOf(html: string): string {
  return html
    .replace(/<(\w+)[^>]* aria-hidden="true"[^>]*>.*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,?])/g, '$1')
    .trim()
}

/** A page's data as the server would hand it over. */
export function pageData(changes: Partial<PageData> = {}): PageData {
  return {
    path: '/auth/login',
    query: '',
    organization: {
      baseUrl: 'https://lender.example',
      canonicalOrgCode: 'FIGURE',
      orgBrand: 'figure',
      orgCode: 'FIGURE',
      orgMetaData: {
        companyInfo: {
          name: 'Figure',
          legalName: 'Figure Lending LLC',
          logoPath: '/brand/figure.svg',
          supportPhone: '8005550142',
          supportEmail: 'help@figure.example',
          nmlsNumber: '2100200',
          badge: 'EHL',
          termsUrl: '/legal/terms',
          privacyUrl: '/legal/privacy',
          licensesUrl: '/legal/licenses',
          electronicCommunicationsUrl: '/legal/electronic-communications',
        },
        products: [],
      },
      orgPricingData: [],
    },
    flags: { FIGURE: true },
    behaviors: {
      loginHeading: 'standard',
      registerLink: 'shown',
      registerAt: 'legacy',
      signerLink: 'shown',
    },
    label: null,
    session: null,
    botCheck: { kind: 'altcha' },
    supportPhone: '8005550142',
    demonstration: false,
    ...changes,
  }
}
