/**
 * The tracker: a random name that a browser carries for a year, by which telemetry counts its visits (§3) and
 * experiments decide the same every time (§7.8). It says nothing about the person. Who refuses to be tracked has none:
 * a browser that sends Global Privacy Control, and one that has not agreed where agreement is required.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, readCookie, writeCookie } from '../http/cookies.ts'

/** The tracker's cookie; over https its name has the prefix of our other cookies. */
const TRACKER_COOKIE = 'portico-tracker'
/** A cookie that the site's own consent dialog keeps, in the browser, under this very name. */
const CONSENT_COOKIE = 'portico-consent'
const CONSENT_GRANTED = 'granted'
const LIFETIME_S = 365 * 24 * 60 * 60
/** As we write it, and no other spelling: one browser must not count as two. */
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** A visitor's browser, as long as it keeps its cookies. */
export interface Tracker {
  readonly uuid: string
  /** Whether this request made it. */
  readonly fresh: boolean
}

/** The tracker of a request, made and kept where there is none yet; undefined where tracking is refused. */
export type TrackerOf = (request: FastifyRequest, reply: FastifyReply) => Tracker | undefined

/** Makes `trackerOf`. */
export function trackers({
  consent,
  publicUrl,
}: {
  readonly consent: 'implied' | 'required'
  readonly publicUrl: string | undefined
}): TrackerOf {
  // Whoever asks twice during a request is told the same, also of a tracker that the request did not bring.
  const known = new WeakMap<FastifyRequest, Tracker>()
  return (request, reply) => {
    const { cookie } = request.headers
    const secure = publicUrl?.startsWith('https:') ?? request.protocol === 'https'
    const name = cookieName(TRACKER_COOKIE, secure)
    const sent = readCookie(cookie, name)
    const write = (value: string, maxAgeS: number) =>
      void reply.header('set-cookie', writeCookie(name, value, { secure, maxAgeS }))
    const refused =
      request.headers['sec-gpc'] === '1' ||
      (consent === 'required' && readCookie(cookie, CONSENT_COOKIE) !== CONSENT_GRANTED)
    if (refused) {
      // Whoever has changed their mind is not known again should they change it back.
      if (sent !== undefined) write('', 0)
      return undefined
    }
    const kept = UUID.exec(sent ?? '')?.[0]
    if (kept !== undefined) return { uuid: kept, fresh: false }
    const told = known.get(request)
    if (told !== undefined) return told
    const made: Tracker = { uuid: randomUUID(), fresh: true }
    known.set(request, made)
    write(made.uuid, LIFETIME_S)
    return made
  }
}
