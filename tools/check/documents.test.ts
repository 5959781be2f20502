import { expect, test } from 'vitest'
import { documentErrors } from './documents.ts'

const errors = (document: string, text: string) =>
  documentErrors(
    new Map([
      [document, text],
      ['docs/spec.md', '# Specification'],
      [
        'packages/flow/package.json',
        '{"exports":{".":"./src/flow.ts","./react":"./src/react.ts"}}',
      ],
      [
        'apps/auth/src/login/login.test.ts',
        "test('2.3 the person\\'s heading', () => show('a subtitle'))\ntest.each([1])('a row of %i', () => {})",
      ],
    ]),
  )

test('existing files, folders, links, exports and tests are valid', () => {
  expect(
    errors(
      'docs/coverage.md',
      'auth `login`, `login/login.test.ts` `apps/auth/src/login` [the specification](spec.md) `apps/auth/src/login/login.test.ts` "2.3", "a row of"',
    ),
  ).toEqual([])
  expect(errors('packages/flow/README.md', '| `./react` | hooks, in `package.json` |')).toEqual([])
})

test.each([
  ['docs/a.md', '`apps/gone`', 'apps/gone'],
  ['docs/a.md', '[page](gone.md)', 'docs/gone.md'],
  ['docs/coverage.md', 'auth `login`, `gone`', 'apps/auth/src/gone'],
])('a missing place in %s, %s, is an error', (document, text, place) => {
  expect(errors(document, text)).toEqual([`${document} names ${place}, which does not exist`])
})

test('a link to a section needs its heading, as repository browsers and the site name it', () => {
  const link = (target: string) =>
    errors(
      'docs/a.md',
      `[x](${target})\n## Start & stop: \`npm start\`\n## Twice\n## Twice\n<a id="old"></a>`,
    )
  for (const target of ['#start--stop-npm-start', '#twice-1', '#old', 'spec.md#specification']) {
    expect(link(target)).toEqual([])
  }
  for (const target of ['#start', '#twice-2', 'spec.md#gone']) expect(link(target)).toHaveLength(1)
})

test('an unknown title is an error, and only titles are searched', () => {
  const cite = (title: string) =>
    errors('docs/security.md', `\`apps/auth/src/login/login.test.ts\` "2.3", "${title}"`)
  expect(cite('a row of')).toEqual([])
  expect(cite('a footer')).toHaveLength(1)
  expect(cite('a subtitle')).toHaveLength(1)
})

test('a README names only exports and files of its package', () => {
  expect(errors('packages/flow/README.md', '| `./react`, `./vue` | hooks |')).toHaveLength(1)
  expect(errors('packages/flow/README.md', 'The kernel is `kernel.ts` in `core/`.')).toHaveLength(2)
})
