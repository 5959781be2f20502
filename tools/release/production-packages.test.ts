import { expect, test } from 'vitest'
import { billOfMaterials } from './bill-of-materials.ts'
import { productionPackages } from './production-packages.ts'

test('a release contains production packages, with binaries for Linux on both architectures only', () => {
  const { packages, direct } = productionPackages()
  const names = packages.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'kysely']))
  expect(direct).toContain('node_modules/fastify')
  for (const name of ['vite', 'vitest', 'typescript', '@biomejs/biome', 'fast-check']) {
    expect(names).not.toContain(name)
  }
  expect(
    packages
      .filter(({ isNative }) => isNative)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([
    '@node-rs/argon2-linux-arm64-gnu',
    '@node-rs/argon2-linux-x64-gnu',
    '@node-rs/bcrypt-linux-arm64-gnu',
    '@node-rs/bcrypt-linux-x64-gnu',
  ])
})

test('a package is found in the nearest node_modules, as Node finds it', () => {
  const locked = { version: '1.0.0', integrity: 'sha512-AA==' }
  const { packages } = productionPackages({
    'apps/server': { dependencies: { one: '1.0.0', two: '1.0.0' } },
    'apps/auth': {},
    'apps/console': {},
    'apps/portal': {},
    'apps/wallet': {},
    'node_modules/one': { ...locked, dependencies: { two: '2.0.0' } },
    'node_modules/one/node_modules/two': { ...locked, version: '2.0.0' },
    'node_modules/two': locked,
  })
  expect(packages.map(({ folder, version }) => `${folder} ${version}`)).toEqual([
    'node_modules/one 1.0.0',
    'node_modules/one/node_modules/two 2.0.0',
    'node_modules/two 1.0.0',
  ])
})

test('the bill of materials is valid CycloneDX, equal for equal packages, with the hash of each', async () => {
  const packages = productionPackages()
  const text = await billOfMaterials({ version: '1.2.3', ...packages })
  expect(await billOfMaterials({ version: '1.2.3', ...packages })).toBe(text)
  const { components } = JSON.parse(text) as { components: { name: string; hashes: unknown[] }[] }
  expect(components).toHaveLength(packages.packages.length)
  expect(components.every(({ hashes }) => hashes.length === 1)).toBe(true)
})
