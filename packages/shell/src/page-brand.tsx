import type { PageData } from '@portico/contracts/page-data'
import { branding } from '@portico/rules/branding'
import { Footer } from '@portico/ui/footer'
import { Logo } from './logo.tsx'

type BrandProps = {
  page: PageData
  /** For pages that are co-branded with the organization's partner (§2.5). */
  coBranded?: boolean
}

/** The logos of the organization, the label and, on its pages, the partner (§1, §2.5). */
export function PageLogos({ page, coBranded = false }: BrandProps) {
  const { companyInfo, partner } = page.organization.orgMetaData
  return (
    <>
      <Logo {...companyInfo} />
      {page.label && <Logo {...page.label} />}
      {coBranded && partner && <Logo {...partner} />}
    </>
  )
}

/** The legal links, support contacts and disclosures of the organization (§2.3, §2.5). */
export function PageFooter({ page, coBranded = false }: BrandProps) {
  const { companyInfo } = page.organization.orgMetaData
  const { badge, nmls, phone } = branding(page.organization)
  return (
    <Footer
      links={[
        { label: 'Terms', href: companyInfo.termsUrl },
        { label: 'Privacy', href: companyInfo.privacyUrl },
        { label: 'Licenses', href: companyInfo.licensesUrl },
      ]}
      phone={coBranded ? { ...phone, label: `Questions? ${phone.label}` } : phone}
      email={companyInfo.supportEmail}
      nmls={nmls}
      badge={badge}
      copyright={coBranded ? `© ${companyInfo.legalName}` : undefined}
    />
  )
}
