import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { SelectField } from './select-field.tsx'

test('2.8 a select has a label, and its error is associated with it', () => {
  const html = renderToStaticMarkup(
    <SelectField id="question" label="First question" error="Please choose a question.">
      <option value="pet">First pet?</option>
    </SelectField>,
  )
  expect(html).toContain('for="question"')
  expect(html).toContain('aria-describedby="question-message"')
  expect(html).toContain('Please choose a question.')
})
