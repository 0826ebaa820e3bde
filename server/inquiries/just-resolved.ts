/** Whether inquiry `?1` was resolved by this very transaction: what was resolved before is open to nobody. */
export const justResolved = `exists (select 1 from inquiries join recipients on recipients.inquiry_id = inquiries.id
  where inquiries.id = ?1 and inquiries.resolution is not null and recipients.open = 1)`;
