import { money } from './format.mjs';

/** An invoice with its label. */
export const invoice = (language, v, due, form, extra = {}) => ({
  language,
  type: 'invoice',
  fields: label(v, due),
  ...extra,
  ...form,
});

const label = (v, due = null) => ({
  invoice_no: v.no,
  issued_on: v.on,
  due_on: due,
  seller: v.seller,
  buyer: v.buyer ?? null,
  total: money(v.total, v.currency),
  tax: v.tax === null ? null : money(v.tax, v.currency),
});
