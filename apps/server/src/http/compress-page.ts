import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Each page is compressed for one visitor: a higher quality costs more time than it saves. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 5

const compressors = {
  br: (html: string) =>
    promisify(brotliCompress)(html, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: (html: string) => promisify(gzip)(html, { level: GZIP_LEVEL }),
} as const

/**
 * Compresses a page, if the browser accepts it. Only for pages without anything personal: pages repeat their URL, so from the
 * size of a compressed page that also contained a secret, another site could guess it (BREACH).
 */
export async function compressPage(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
): Promise<string | Buffer> {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  void reply.header('vary', 'accept-encoding')
  if (encoding === undefined) return html
  void reply.header('content-encoding', encoding)
  return compressors[encoding](html)
}
