// Loaded before a test runner by --import: the temporary folders of its tests are in memory, for a test commits hundreds
// of times, and each commit waits for a disk.
import { roomyFolder } from '../../server/platform/testing/memory.ts';

process.env['TMPDIR'] = roomyFolder();
