import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Checkbox } from '../checkbox/checkbox.tsx'
import { PasswordField } from '../password-field/password-field.tsx'
import { TextField } from '../text-field/text-field.tsx'

test('5 an error replaces the hint and is associated with its field', () => {
  const html = renderToStaticMarkup(
    <TextField
      id="email"
      label="Email"
      hint="As on your loan"
      error="Please enter a valid email."
    />,
  )
  expect(html).toContain('<label class="label" for="email">Email</label>')
  expect(html).toContain('aria-invalid="true" aria-describedby="email-message"')
  expect(html).toMatch(/id="email-message".*Please enter a valid email\./)
  expect(html).not.toContain('As on your loan')
})

test('5 a field without an error is not marked invalid and reserves space for one', () => {
  const html = renderToStaticMarkup(<TextField id="email" label="Email" error={undefined} />)
  expect(html).not.toContain('aria-invalid')
  expect(html).not.toContain('aria-describedby')
  expect(html).toContain('id="email-message"')
})

test('2.3 the password is hidden, and the button that shows it has a name', () => {
  const html = renderToStaticMarkup(
    <PasswordField label="Password" autoComplete="current-password" />,
  )
  expect(html).toContain('type="password"')
  expect(html).toContain('autoComplete="current-password"')
  expect(html).toMatch(/<button type="button"[^>]*aria-label="Show password"/)
})

test('2.3 the one-time checkbox is a native one inside its label', () => {
  const html = renderToStaticMarkup(
    <Checkbox
      id="one-time"
      name="oneTime"
      label="Use one-time passcode for logging into my account"
    />,
  )
  expect(html).toMatch(
    /<label[^>]*for="one-time">.*<input type="checkbox" id="one-time" name="oneTime"/,
  )
})
