// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {deployArtifact} from "./helpers/DeployLedger.sol";
import {vm} from "./helpers/Vm.sol";

/// Each deployed verifier, with a proof made by the client library for a call of the fixtures.
/// ├── true: the proof with its signals; the gas of each is pinned
/// ├── false: any changed signal or proof word, a signal plus the group's order, a coordinate plus the field's order, a
/// │   point at infinity, B with swapped coordinates, A negated, the proof of another verifier
/// └── reverts: a word is missing, unknown function
contract VerifiersTest {
    uint256 private constant BASE_FIELD =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    uint256 private constant PROOF_WORDS = 8;
    // An invalid point takes all the gas its precompile is given.
    uint256 private constant GAS = 1_000_000;
    uint256 private constant COUNT = 7;
    string[COUNT] private names = ["transfer", "release", "fund", "make-available", "spend", "spend-public", "pay-many"];
    string[COUNT] private contracts = [
        "TransferVerifier",
        "ReleaseVerifier",
        "FundVerifier",
        "MakeAvailableVerifier",
        "SpendVerifier",
        "SpendPublicVerifier",
        "PayManyVerifier"
    ];

    address[COUNT] private verifiers;
    bytes[COUNT] private calls;

    function setUp() public {
        string memory fixtures = vm.readFile("contracts/test/fixtures/calls.json");
        for (uint256 i = 0; i < COUNT; ++i) {
            verifiers[i] = deployArtifact(string.concat(contracts[i], ".sol:", contracts[i]), "");
            calls[i] = vm.parseJsonBytes(fixtures, string.concat(".verifications['", names[i], "']"));
        }
    }

    function test_AProofIsValidForItsSignals() public {
        for (uint256 i = 0; i < COUNT; ++i) {
            (bool answered, bytes memory answer) = verifiers[i].staticcall{gas: GAS}(calls[i]);
            vm.snapshotGasLastCall("verifiers", names[i]);
            vm.assertTrue(answered && abi.decode(answer, (bool)));
        }
    }

    function test_InvalidWhen_AnyWordDiffers() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            for (uint256 word = 0; word < PROOF_WORDS + _signals(i); ++word) {
                vm.assertFalse(_valid(i, _with(calls[i], word, _word(calls[i], word) ^ 1)), names[i]);
            }
        }
    }

    /// forge-config: default.fuzz.runs = 16
    function testFuzz_InvalidWhen_ASignalDiffers(uint256 index, uint256 value) public view {
        value %= FIELD_ORDER;
        for (uint256 i = 0; i < COUNT; ++i) {
            uint256 word = PROOF_WORDS + index % _signals(i);
            vm.assume(value != _word(calls[i], word));
            vm.assertFalse(_valid(i, _with(calls[i], word, value)), names[i]);
        }
    }

    function test_InvalidWhen_ASignalIsNotBelowTheOrder() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            for (uint256 word = PROOF_WORDS; word < PROOF_WORDS + _signals(i); ++word) {
                // The same point of the group as the signal itself.
                uint256 value = _word(calls[i], word) + FIELD_ORDER;
                vm.assertFalse(_valid(i, _with(calls[i], word, value)), names[i]);
                vm.assertFalse(_valid(i, _with(calls[i], word, FIELD_ORDER)), names[i]);
                vm.assertFalse(_valid(i, _with(calls[i], word, type(uint256).max)), names[i]);
            }
        }
    }

    /// forge-config: default.fuzz.runs = 16
    function testFuzz_InvalidWhen_AProofWordDiffers(uint256 index, uint256 mask) public view {
        vm.assume(mask != 0);
        for (uint256 i = 0; i < COUNT; ++i) {
            uint256 word = index % PROOF_WORDS;
            vm.assertFalse(_valid(i, _with(calls[i], word, _word(calls[i], word) ^ mask)), names[i]);
        }
    }

    function test_InvalidWhen_ACoordinateIsNotBelowTheFieldsOrder() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            for (uint256 word = 0; word < PROOF_WORDS; ++word) {
                // The same coordinate for code that reduces it.
                uint256 value = _word(calls[i], word) + BASE_FIELD;
                vm.assertFalse(_valid(i, _with(calls[i], word, value)), names[i]);
            }
        }
    }

    function test_InvalidWhen_PointsAreAtInfinity() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            // Every subset of A, B and C.
            for (uint256 subset = 1; subset < 8; ++subset) {
                bytes memory data = calls[i];
                if (subset & 1 != 0) data = _zeroed(data, 0, 2);
                if (subset & 2 != 0) data = _zeroed(data, 2, 6);
                if (subset & 4 != 0) data = _zeroed(data, 6, 8);
                vm.assertFalse(_valid(i, data), names[i]);
            }
        }
    }

    function test_InvalidWhen_APointIsOffItsCurve() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            vm.assertFalse(_valid(i, _with(_with(calls[i], 0, 1), 1, 1)), names[i]);
            vm.assertFalse(_valid(i, _with(_with(calls[i], 6, 1), 7, 1)), names[i]);
            bytes memory data = calls[i];
            for (uint256 word = 2; word < 6; ++word) {
                data = _with(data, word, 1);
            }
            vm.assertFalse(_valid(i, data), names[i]);
        }
    }

    function test_InvalidWhen_BsCoordinatesAreSwapped() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            vm.assertFalse(_valid(i, _swapped(_swapped(calls[i], 2, 3), 4, 5)), "the limbs of each");
            vm.assertFalse(_valid(i, _swapped(_swapped(calls[i], 2, 4), 3, 5)), "x and y");
        }
    }

    function test_InvalidWhen_AIsNegated() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            vm.assertFalse(_valid(i, _with(calls[i], 1, BASE_FIELD - _word(calls[i], 1))), names[i]);
        }
    }

    function test_InvalidWhen_AnotherVerifierIsAsked() public view {
        // Transfer and release have as many signals.
        vm.assertFalse(_valid(0, calls[1]), "a release passed for a transfer");
        vm.assertFalse(_valid(1, calls[0]), "a transfer passed for a release");
    }

    function test_RevertWhen_AWordIsMissing() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            bytes memory data = calls[i];
            for (uint256 cut = 1; cut <= 32; cut += 31) {
                bytes memory short = bytes.concat(data);
                assembly ("memory-safe") {
                    mstore(short, sub(mload(short), cut))
                }
                (bool answered,) = verifiers[i].staticcall{gas: GAS}(short);
                vm.assertFalse(answered, names[i]);
            }
        }
    }

    function test_RevertWhen_TheFunctionIsUnknown() public view {
        for (uint256 i = 0; i < COUNT; ++i) {
            (bool answered,) = verifiers[i].staticcall{gas: GAS}(calls[(i + 2) % COUNT]);
            vm.assertFalse(answered, names[i]);
        }
    }

    function _valid(uint256 verifier, bytes memory data) private view returns (bool) {
        (bool answered, bytes memory answer) = verifiers[verifier].staticcall{gas: GAS}(data);
        vm.assertTrue(answered && answer.length == 32);
        return abi.decode(answer, (bool));
    }

    function _signals(uint256 verifier) private view returns (uint256) {
        return (calls[verifier].length - 4) / 32 - PROOF_WORDS;
    }

    function _word(bytes memory data, uint256 index) private pure returns (uint256 word) {
        assembly ("memory-safe") {
            word := mload(add(data, add(0x24, mul(index, 0x20))))
        }
    }

    function _with(bytes memory data, uint256 index, uint256 value) private pure returns (bytes memory changed) {
        changed = bytes.concat(data);
        assembly ("memory-safe") {
            mstore(add(changed, add(0x24, mul(index, 0x20))), value)
        }
    }

    function _swapped(bytes memory data, uint256 one, uint256 other) private pure returns (bytes memory) {
        return _with(_with(data, one, _word(data, other)), other, _word(data, one));
    }

    function _zeroed(bytes memory data, uint256 from, uint256 to) private pure returns (bytes memory) {
        for (uint256 word = from; word < to; ++word) {
            data = _with(data, word, 0);
        }
        return data;
    }
}
