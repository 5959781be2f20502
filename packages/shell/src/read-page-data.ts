import { NOTICES, PorticoError } from '@portico/contracts/errors'
import { PAGE_DATA_ELEMENT, PageData } from '@portico/contracts/page-data'

/**
 * The data the server put into the page.
 *
 * @throws PorticoError - 'No private label data found', where there is none or it names no organisation (§1, §8)
 */
export function readPageData(document: Pick<Document, 'getElementById'>): PageData {
  const text = document.getElementById(PAGE_DATA_ELEMENT)?.textContent
  try {
    return PageData.parse(JSON.parse(text ?? ''))
  } catch (cause) {
    throw new PorticoError('organization-missing', NOTICES.organizationMissing, { cause })
  }
}
