import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with `N passed, N failed[, N skipped]`, whatever else was printed. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let skipped = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      if (module.state() === 'failed' && ![...module.children.allTests('failed')].length) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped += 1;
      }
    }
    process.on('exit', () => {
      process.stdout.write(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`);
    });
  }
}
