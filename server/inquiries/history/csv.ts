/** The first row of a file that spreadsheets read: told as UTF-8, so that Chinese stays Chinese. */
export function csvHead(names: readonly string[]): string {
  return `\uFEFF${csvRow(names)}`;
}

/**
 * One row of a CSV file (RFC 4180). What a spreadsheet would run as a formula gets an apostrophe in front, because
 * agents and strangers wrote these words (OWASP, "CSV injection"); the file keeps them otherwise whole.
 */
export function csvRow(cells: readonly (string | undefined)[]): string {
  return `${cells.map((cell) => cellOf(cell ?? '')).join(',')}\r\n`;
}

function cellOf(text: string): string {
  // A spreadsheet looks past blanks, and reads the full-width signs of East Asian keyboards as the plain ones.
  const safe = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠|]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('\0', '').replaceAll('"', '""')}"`;
}
