import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Animation } from './animation.tsx'
import { NotFoundAnimation } from './not-found-animation.tsx'

test("8 an animation without static svg: 'staticSvg must be provided for a11y'", () => {
  expect(() =>
    renderToStaticMarkup(
      <Animation label="Waiting" staticSvg={undefined}>
        <svg />
      </Animation>,
    ),
  ).toThrow(new Error('staticSvg must be provided for a11y'))
})

test('2.8 with reduced motion the static svg replaces the animated one', () => {
  const css = readFileSync(new URL('./animation.module.css', import.meta.url), 'utf8')
  const reduced = css.slice(css.indexOf('prefers-reduced-motion'))
  expect(reduced).toMatch(/\.still \{\s*display: block/)
  expect(reduced).toMatch(/\.moving \{\s*display: none/)
})

test('2.8 the 404 animation has a name, a moving and a static picture', () => {
  const html = renderToStaticMarkup(<NotFoundAnimation />)
  expect(html).toContain('aria-label="404, page not found"')
  expect(html.match(/<svg/g)).toHaveLength(2)
  expect(html.match(/data-moving/g)).toHaveLength(1)
})
