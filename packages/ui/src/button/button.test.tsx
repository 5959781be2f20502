import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { Button } from './button.tsx'

function press(busy: boolean) {
  const onClick = vi.fn<() => void>()
  const preventDefault = vi.fn<() => void>()
  const button = Button({ busy, busyLabel: 'Logging in…', onClick, children: 'Log in' })
  button.props.onClick({ preventDefault })
  return { onClick, preventDefault }
}

test('2.8 a button reports a press', () => {
  const { onClick, preventDefault } = press(false)
  expect(onClick).toHaveBeenCalledOnce()
  expect(preventDefault).not.toHaveBeenCalled()
})

test('2.8 a press on a busy button does nothing and submits nothing', () => {
  const { onClick, preventDefault } = press(true)
  expect(onClick).not.toHaveBeenCalled()
  expect(preventDefault).toHaveBeenCalledOnce()
})

test('2.8 a busy button shows its busy label and keeps its focus', () => {
  const html = renderToStaticMarkup(
    <Button busy busyLabel="Logging in…">
      Log in
    </Button>,
  )
  expect(html).toContain('aria-disabled="true"')
  expect(html).not.toMatch(/ disabled/)
  expect(html).toMatch(/aria-hidden="true">Log in</)
  expect(html).toMatch(/<span>Logging in…</)
})

test('2.8 a button does not submit unless its type is submit', () => {
  expect(renderToStaticMarkup(<Button>Back</Button>)).toContain('type="button"')
  expect(renderToStaticMarkup(<Button type="submit">Log in</Button>)).toContain('type="submit"')
})
