import { PorticoError } from '@portico/contracts/errors'
import { NOTICES } from '@portico/contracts/notices'
import { PAGE_DATA_ELEMENT, PageData } from '@portico/contracts/page-data'

/**
 * Reads the data that the server embedded in the page.
 *
 * @throws PorticoError - 'No private label data found', if it is missing, or lacks the organization or its flag (§1, §8)
 */
export function readPageData(document: Pick<Document, 'getElementById'>): PageData {
  const text = document.getElementById(PAGE_DATA_ELEMENT)?.textContent
  try {
    const page = PageData.parse(JSON.parse(text ?? ''))
    if (page.flags[page.organization.orgCode]) return page
    throw new TypeError('The page data has no flag for its own organization')
  } catch (cause) {
    throw new PorticoError('organization-missing', NOTICES.organizationMissing, { cause })
  }
}
