/**
 * The anchor of a heading as repository browsers form it, so that links to sections work there and on the site.
 *
 * @param {string} heading
 * @returns {string}
 */
export function headingAnchor(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
