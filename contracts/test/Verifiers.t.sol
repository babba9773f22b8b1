// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {
    IAllocateVerifier,
    IFundVerifier,
    IReleaseVerifier,
    ITransferVerifier
} from "../src/interfaces/IVerifiers.sol";
import {RealLedgerTest} from "./helpers/RealLedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// Each deployed verifier, with a proof made by the client library for a call of the fixtures.
/// ├── true: the proof with its signals; the gas of each is pinned
/// ├── false: any changed signal or proof word, a signal plus the group's order, a coordinate plus the field's order, a
/// │   point at infinity, B with swapped coordinates, A negated, the proof of another verifier
/// └── reverts: a word is missing, unknown function
contract VerifiersTest is RealLedgerTest {
    uint256 private constant BASE_FIELD =
        21888242871839275222246405745257275088696311157297823662689037894645226208583;
    uint256 private constant PROOF_WORDS = 8;
    // An invalid point takes all the gas its precompile is given.
    uint256 private constant GAS = 1_000_000;
    string[4] private names = ["transfer", "release", "fund", "allocate"];

    address[4] private verifiers;
    bytes[4] private calls;

    function setUp() public override {
        super.setUp();
        calls[3] = _allocateCall();
        _run("allocate");
        calls[0] = _transferCall();
        _run("transfer");
        calls[1] = _releaseCall();
        _run("release");
        calls[2] = _fundCall();
    }

    function _verifiers() internal override returns (address[4] memory) {
        verifiers = super._verifiers();
        return verifiers;
    }

    function test_AProofIsValidForItsSignals() public {
        for (uint256 i = 0; i < 4; ++i) {
            (bool answered, bytes memory answer) = verifiers[i].staticcall{gas: GAS}(calls[i]);
            vm.snapshotGasLastCall("verifiers", names[i]);
            vm.assertTrue(answered && abi.decode(answer, (bool)));
        }
    }

    function test_InvalidWhen_AnyWordDiffers() public view {
        for (uint256 i = 0; i < 4; ++i) {
            for (uint256 word = 0; word < PROOF_WORDS + _signals(i); ++word) {
                vm.assertFalse(_valid(i, _with(calls[i], word, _word(calls[i], word) ^ 1)), names[i]);
            }
        }
    }

    /// forge-config: default.fuzz.runs = 16
    function testFuzz_InvalidWhen_ASignalDiffers(uint256 index, uint256 value) public view {
        value %= FIELD_ORDER;
        for (uint256 i = 0; i < 4; ++i) {
            uint256 word = PROOF_WORDS + index % _signals(i);
            vm.assume(value != _word(calls[i], word));
            vm.assertFalse(_valid(i, _with(calls[i], word, value)), names[i]);
        }
    }

    function test_InvalidWhen_ASignalIsNotBelowTheOrder() public view {
        for (uint256 i = 0; i < 4; ++i) {
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
        for (uint256 i = 0; i < 4; ++i) {
            uint256 word = index % PROOF_WORDS;
            vm.assertFalse(_valid(i, _with(calls[i], word, _word(calls[i], word) ^ mask)), names[i]);
        }
    }

    function test_InvalidWhen_ACoordinateIsNotBelowTheFieldsOrder() public view {
        for (uint256 i = 0; i < 4; ++i) {
            for (uint256 word = 0; word < PROOF_WORDS; ++word) {
                // The same coordinate for code that reduces it.
                uint256 value = _word(calls[i], word) + BASE_FIELD;
                vm.assertFalse(_valid(i, _with(calls[i], word, value)), names[i]);
            }
        }
    }

    function test_InvalidWhen_PointsAreAtInfinity() public view {
        for (uint256 i = 0; i < 4; ++i) {
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
        for (uint256 i = 0; i < 4; ++i) {
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
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertFalse(_valid(i, _swapped(_swapped(calls[i], 2, 3), 4, 5)), "the limbs of each");
            vm.assertFalse(_valid(i, _swapped(_swapped(calls[i], 2, 4), 3, 5)), "x and y");
        }
    }

    function test_InvalidWhen_AIsNegated() public view {
        for (uint256 i = 0; i < 4; ++i) {
            vm.assertFalse(_valid(i, _with(calls[i], 1, BASE_FIELD - _word(calls[i], 1))), names[i]);
        }
    }

    function test_InvalidWhen_AnotherVerifierIsAsked() public view {
        // Transfer and release have as many signals.
        vm.assertFalse(_valid(0, calls[1]), "a release passed for a transfer");
        vm.assertFalse(_valid(1, calls[0]), "a transfer passed for a release");
    }

    function test_RevertWhen_AWordIsMissing() public view {
        for (uint256 i = 0; i < 4; ++i) {
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
        for (uint256 i = 0; i < 4; ++i) {
            (bool answered,) = verifiers[i].staticcall{gas: GAS}(calls[(i + 2) % 4]);
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

    function _context(bytes32 structHash) private view returns (uint256) {
        return uint256(keccak256(abi.encodePacked(hex"1901", separator, structHash))) % FIELD_ORDER;
    }

    function _transferCall() private view returns (bytes memory) {
        (ILedger.TransferParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("transfer"), (ILedger.TransferParams, ILedger.Proof, bytes));
        uint256[4] memory signals = [_old(alice), p.newBudget, p.note, _context(this.hashTransfer(p, _old(alice)))];
        return abi.encodeCall(ITransferVerifier.verifyProof, (q.a, q.b, q.c, signals));
    }

    function _releaseCall() private view returns (bytes memory) {
        (ILedger.ReleaseParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("release"), (ILedger.ReleaseParams, ILedger.Proof, bytes));
        uint256[4] memory signals = [_old(alice), p.newBudget, p.amount, _context(this.hashRelease(p, _old(alice)))];
        return abi.encodeCall(IReleaseVerifier.verifyProof, (q.a, q.b, q.c, signals));
    }

    function _fundCall() private view returns (bytes memory) {
        (ILedger.FundParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("fund"), (ILedger.FundParams, ILedger.Proof, bytes));
        uint256 context = _context(this.hashFund(p, _old(alice), _old(agent)));
        uint256[5] memory signals = [_old(alice), p.fromNewBudget, _old(agent), p.toNewBudget, context];
        return abi.encodeCall(IFundVerifier.verifyProof, (q.a, q.b, q.c, signals));
    }

    function _allocateCall() private view returns (bytes memory) {
        (ILedger.AllocateParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("allocate"), (ILedger.AllocateParams, ILedger.Proof, bytes));
        uint256[13] memory signals;
        for (uint256 i = 0; i < 8; ++i) {
            signals[i] = p.notes[i];
        }
        (signals[8], signals[9], signals[10], signals[11]) = (p.credit, _old(alice), p.newBudget, p.changeNote);
        signals[12] = _context(this.hashAllocate(p, _old(alice), 0));
        return abi.encodeCall(IAllocateVerifier.verifyProof, (q.a, q.b, q.c, signals));
    }
}
