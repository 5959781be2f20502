/**
 * Who is asking, as far as the request itself tells: the network it counts by, the brand it came to, the browser it
 * was seen in. Made once per request and handed to whatever decides.
 */
import type { OrganizationFile } from '@portico/contracts/organization'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Organizations } from '../organizations/organizations.ts'
import { cookieName, readCookie, writeCookie } from './cookies.ts'
import { networkOf } from './network.ts'

const SESSION_COOKIE = 'portico-session'
const DEVICE_COOKIE = 'portico-device'
const ORGANIZATION_COOKIE = 'portico-organization'
/** The form of the names we give to browsers; anything else is nobody's. */
const DEVICE_NAME = /^[\w-]{43}$/
const DEVICE_LIFETIME_S = 400 * 24 * 60 * 60

/** The request's maker. */
export interface Visitor {
  readonly origin: string
  readonly network: string
  readonly userAgent: string
  readonly organization: OrganizationFile
  /** The cookie of the session, unverified. */
  readonly sessionCookie: string | undefined
  /** The browser's own random name, unverified. */
  readonly deviceCookie: string | undefined
  readonly keepSession: (value: string) => void
  readonly dropSession: () => void
  readonly keepDevice: (value: string) => void
  readonly keepOrganization: (orgCode: string) => void
  /** Adds a header to the answer. */
  readonly tell: (header: string, value: string) => void
}

/** Makes visitors of requests. */
export function visitors(needs: {
  readonly organizations: Organizations
  readonly publicUrl: string | undefined
}) {
  return (request: FastifyRequest, reply: FastifyReply): Visitor => {
    const origin = needs.publicUrl ?? `${request.protocol}://${request.host}`
    const secure = origin.startsWith('https:')
    const cookie = (name: string) => readCookie(request.headers.cookie, cookieName(name, secure))
    const keep = (name: string, value: string, maxAgeS?: number) =>
      void reply.header(
        'set-cookie',
        writeCookie(
          cookieName(name, secure),
          value,
          maxAgeS === undefined ? { secure } : { secure, maxAgeS },
        ),
      )
    return {
      origin,
      // A proxy that passes on what is no address is counted itself: nonsense must not make anybody countless.
      network: networkOf(request.ip) ?? networkOf(request.socket.remoteAddress ?? '') ?? 'unknown',
      get userAgent() {
        return (request.headers['user-agent'] ?? '').slice(0, 256)
      },
      // What most requests never ask for is found out where one does.
      get organization() {
        const { orgCode } = (request.query ?? {}) as { orgCode?: unknown }
        return needs.organizations.resolve({
          host: request.hostname,
          asked: typeof orgCode === 'string' ? orgCode : undefined,
          kept: cookie(ORGANIZATION_COOKIE),
        })
      },
      get sessionCookie() {
        return cookie(SESSION_COOKIE)
      },
      get deviceCookie() {
        return DEVICE_NAME.exec(cookie(DEVICE_COOKIE) ?? '')?.[0]
      },
      keepSession: (value) => keep(SESSION_COOKIE, value),
      dropSession: () => keep(SESSION_COOKIE, '', 0),
      keepDevice: (value) => keep(DEVICE_COOKIE, value, DEVICE_LIFETIME_S),
      tell: (header, value) => void reply.header(header, value),
      keepOrganization: (orgCodeToKeep) => keep(ORGANIZATION_COOKIE, orgCodeToKeep),
    }
  }
}

/** The authorization header's token, without its prefix. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return bearerText(request.headers.authorization)
}

/** The token in the text of such a header, without its prefix. */
export function bearerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^Bearer ([\w.-]+)$/i.exec(header)?.[1] : undefined
}
