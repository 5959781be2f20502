/** The answers of an individual about themselves. */
export const PERSON = {
  firstName: 'Iris',
  lastName: 'Individual',
  birthDate: '1984-02-29',
  phone: '(201) 555-0123',
  country: 'US',
  street: '1 Harbor Street',
  city: 'Portland',
  region: 'ME',
  postalCode: '04101',
  citizenship: 'US',
  taxId: '123-45-6789',
}
