import { join } from 'node:path'
import { BANNER_FILES, BANNERS_PATH } from '@portico/contracts/banner'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { bannerFile } from './banner-file.ts'

/**
 * Serves the banner files; the -test file outside production only. Browsers may keep an answer but ask each time
 * whether it still holds, so that an edited file is seen with the next page.
 */
export async function banners(
  app: FastifyInstance,
  { config, log }: { config: Pick<Config, 'configDir' | 'production'>; log: Logger },
): Promise<void> {
  const names = config.production ? [BANNER_FILES.production] : Object.values(BANNER_FILES)
  for (const name of names) {
    const file = bannerFile(join(config.configDir, 'banners', name), log)
    // A fault is told when the server starts, not when the first visitor comes.
    await file.read()
    app.get(`${BANNERS_PATH}/${name}`, async (request, reply) => {
      const { text, etag } = await file.read()
      void reply.headers({ 'cache-control': 'no-cache', etag })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(text)
    })
  }
}
