import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { locked } from './budgets.ts';
import type { DocumentType } from './sniff-type.ts';

/**
 * Refuses a PDF that asks for a password, before it is taken in. Only one that says that it is encrypted is opened; many
 * of these open without a password. Other kinds that are locked do not get as far as having a type.
 * @throws CodedError `file.password_required`
 */
export async function refuseLocked(bytes: Uint8Array, kind: DocumentType): Promise<void> {
  if (kind !== 'pdf' || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/Encrypt')) return;
  // The library takes the memory of what it is given.
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: VerbosityLevel.ERRORS });
  try {
    await task.promise;
  } catch (error) {
    // What else is wrong with it, reading says.
    if (error instanceof PasswordException) throw locked('the PDF');
  } finally {
    await task.destroy();
  }
}
