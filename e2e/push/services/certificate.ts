import { X509Certificate, createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Certificate = {
  key: string;
  cert: string;
  /** The certificate's file, for whom it shall be the only authority. */
  file: string;
  /** What Chromium can be told to trust: the SHA-256 of the public key. */
  fingerprint: string;
  remove(): void;
};

/** A certificate that signs itself, for these hosts and loopback, good for two days. */
export function makeCertificate(hosts: readonly string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-certificate-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = [...hosts.map((host) => `DNS:${host}`), 'IP:127.0.0.1'].join(',');
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-days', '2', '-subj', '/CN=push services of the tests', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', '-x509', ...curve, ...about, '-keyout', keyFile, '-out', file], { stdio: 'pipe' });
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(file, 'utf8')];
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const fingerprint = createHash('sha256').update(publicKey).digest('base64');
  return { key, cert, file, fingerprint, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
