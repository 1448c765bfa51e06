import { money } from './format.mjs';

/** A contract with its label. */
export const contract = (language, v, form, extra = {}) => ({
  language,
  type: 'contract',
  fields: {
    contract_no: v.no ?? null,
    party_a: v.a,
    party_b: v.b,
    signed_on: v.on ?? null,
    ends_on: v.ends ?? null,
    amount: v.amount ? money(v.amount, v.currency) : null,
  },
  ...extra,
  ...form,
});
