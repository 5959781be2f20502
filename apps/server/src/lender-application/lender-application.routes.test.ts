import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Edge } from '../http/serve.ts'
import { lenderApplication } from './lender-application.routes.ts'

test('2.3 without a lender application a borrower sees support contacts and a reference, but no setting name', async () => {
  const companyInfo = {
    name: 'Figure',
    supportPhone: '8005550142',
    supportEmail: 'help@figure.example',
  }
  const app = fastify()
  // The route uses only these two properties of the edge.
  lenderApplication(
    { app, visitor: () => ({ organization: { companyInfo } }) } as unknown as Edge,
    {
      config: { lenderAppUrl: undefined, proxiesLenderApp: false },
      identityToken: () => 'unused',
    },
  )
  const { body } = await app.inject('/account/heloc/register')
  expect(body).toContain('This page is not available here')
  expect(body).toContain('href="mailto:help@figure.example"')
  expect(body).toContain('Reference for support: ')
  expect(body).not.toMatch(/operator|setting|[A-Z]+_[A-Z_]+/)
})
