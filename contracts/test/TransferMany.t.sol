// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_AVAILABLE, EMPTY_NOTE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// transferMany (who may: Authority.t.sol)
/// ├── 2 to 16 payments; others refused, and batches with empty notes
/// ├── signals: old, new, 16 notes (EMPTY_NOTE where there is no payment), ctx
/// ├── invariant 14: a note twice refused, across transfer, spend, transferMany and within one batch
/// ├── refused: oneself, an address without a record, commitments that may not be stored
/// └── refused: a recipient, note or ciphertext that was replaced, in any place
contract TransferManyTest is LedgerTest {
    function test_TheVerifierGetsTheStatementInItsOrder() public {
        ILedger.TransferManyParams memory p = _manyParams(1, 3);
        p.payments[1].to = agent;
        bytes32 hash = _hash(p);
        uint256[19] memory signals;
        (signals[0], signals[1], signals[18]) = (EMPTY_AVAILABLE, p.newAvailable, uint256(_digest(hash)) % FIELD_ORDER);
        for (uint256 i = 0; i < 16; ++i) {
            signals[2 + i] = i < 3 ? p.payments[i].note : EMPTY_NOTE;
        }
        vm.expectCall(
            verifier,
            abi.encodeWithSignature(
                "verifyProof(uint256[2],uint256[2][2],uint256[2],uint256[19])", proof.a, proof.b, proof.c, signals
            )
        );
        vm.expectEmit();
        emit ILedger.BatchTransferred(alice, address(usdg), EMPTY_AVAILABLE, p.newAvailable, p.payerCiphertext);
        for (uint256 i = 0; i < 3; ++i) {
            vm.expectEmit();
            emit ILedger.Paid(
                alice, p.payments[i].to, address(usdg), p.payments[i].note, p.payments[i].recipientCiphertext
            );
        }
        ledger.transferMany(p, proof, _sign(PAYMENT_KEY, hash));
        vm.assertEq(_old(alice), p.newAvailable);
        _assertStatus(bob, p.payments[0].note, ILedger.NoteStatus.Open);
        _assertStatus(agent, p.payments[1].note, ILedger.NoteStatus.Open);
        _assertStatus(bob, EMPTY_NOTE, ILedger.NoteStatus.None);
    }

    function test_EachCountFrom2To16AndNoOther() public {
        for (uint256 count = 0; count < 20; ++count) {
            ILedger.TransferManyParams memory p = _manyParams(100 * count, count);
            bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
            if (count < 2 || count > 16) {
                vm.expectRevert(abi.encodeWithSelector(ILedger.InvalidCount.selector, count));
            }
            ledger.transferMany(p, proof, signature);
        }
    }

    function testFuzz_Invariant14_RevertWhen_ANoteStandsTwiceInABatch(uint8 first, uint8 second) public {
        (first, second) = (first % 16, second % 16);
        vm.assume(first != second);
        ILedger.TransferManyParams memory p = _manyParams(1, 16);
        p.payments[first].note = p.payments[second].note;
        _refuse(p, abi.encodeWithSelector(ILedger.NoteNotNew.selector, bob, address(usdg), p.payments[first].note));
        _assertStatus(bob, p.payments[0].note, ILedger.NoteStatus.None);
    }

    /// Whatever made it first, no other way of paying makes it again, and neither does the same.
    function test_Invariant14_ANoteIsMadeOnceByAllFunctionsTogether() public {
        uint256 note = _commitment(7777);
        for (uint256 first = 0; first < 4; ++first) {
            for (uint256 second = 0; second < 4; ++second) {
                uint256 start = vm.snapshotState();
                (bool made,) = address(ledger).call(_payment(first, note, 10));
                vm.assertTrue(made, vm.toString(first));
                bytes memory again = _payment(second, note, 20);
                (bool success, bytes memory reason) = address(ledger).call(again);
                vm.assertFalse(success, "a note was made twice");
                vm.assertEq(
                    keccak256(reason),
                    keccak256(abi.encodeWithSelector(ILedger.NoteNotNew.selector, bob, address(usdg), note))
                );
                vm.revertToState(start);
            }
        }
    }

    function test_Invariant14_RevertWhen_ASpentNoteIsMadeAgain() public {
        uint256 note = _openNote(BOB_KEY, 1);
        ILedger.MakeAvailableParams memory a = _makeAvailableParams(10);
        (a.account, a.notes[0]) = (bob, note);
        vm.prank(bob);
        ledger.makeAvailable(a, proof, "");
        for (uint256 kind = 0; kind < 4; ++kind) {
            (bool success,) = address(ledger).call(_payment(kind, note, 20));
            vm.assertFalse(success, "a spent note was opened");
        }
    }

    function test_RevertWhen_OneOfTheRecipientsMayNotBePaid() public {
        for (uint256 i = 0; i < 16; ++i) {
            ILedger.TransferManyParams memory p = _manyParams(1, 16);
            p.payments[i].to = alice;
            _refuse(p, abi.encodeWithSelector(ILedger.PaymentToSelf.selector, alice));
            p.payments[i].to = stranger;
            _refuse(p, abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        }
    }

    function test_RevertWhen_OneOfTheNotesMayNotBeStored() public {
        uint256[3] memory commitments = [0, EMPTY_NOTE, FIELD_ORDER];
        for (uint256 i = 0; i < 16; ++i) {
            ILedger.TransferManyParams memory p = _manyParams(1, 16);
            p.payments[i].note = commitments[i % 3];
            _refuse(p, abi.encodeWithSelector(ILedger.InvalidNote.selector, commitments[i % 3]));
        }
    }

    /// PayMany proves batches of nothing as well: 2 to 16 counts notes that hold something, wherever the empty ones
    /// stand.
    function test_RevertWhen_NotEveryPaymentHasANote() public {
        for (uint256 count = 2; count <= 16; count += 7) {
            for (uint256 filled = 0; filled < count; ++filled) {
                ILedger.TransferManyParams memory p = _manyParams(1, count);
                for (uint256 i = filled; i < count; ++i) {
                    // Behind the others, and in front of them.
                    p.payments[filled % 2 == 0 ? i : i - filled].note = EMPTY_NOTE;
                }
                _refuse(p, abi.encodeWithSelector(ILedger.InvalidNote.selector, EMPTY_NOTE));
            }
        }
    }

    function test_RevertWhen_TheAvailableMayNotBeStored() public {
        uint256[3] memory commitments = [0, EMPTY_AVAILABLE, FIELD_ORDER];
        for (uint256 i = 0; i < 3; ++i) {
            ILedger.TransferManyParams memory p = _manyParams(1, 2);
            p.newAvailable = commitments[i];
            _refuse(p, abi.encodeWithSelector(ILedger.InvalidAvailableBalance.selector, commitments[i]));
        }
    }

    function testFuzz_RevertWhen_APartOfAPaymentWasReplaced(uint8 place, uint8 part) public {
        ILedger.TransferManyParams memory p = _manyParams(1, 16);
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        ILedger.Payment memory payment = p.payments[place % 16];
        if (part % 3 == 0) payment.to = agent;
        else if (part % 3 == 1) payment.note = _commitment(999);
        else payment.recipientCiphertext = _copy("to somebody else");
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.transferMany(p, proof, signature);
    }

    function test_RevertWhen_APaymentWasAddedOrLeftOut() public {
        bytes memory signature = _sign(PAYMENT_KEY, _hash(_manyParams(1, 5)));
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.transferMany(_manyParams(1, 4), proof, signature);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.transferMany(_manyParams(1, 6), proof, signature);
    }

    function test_RevertWhen_TheAccountHasNoRecord() public {
        ILedger.TransferManyParams memory p = _manyParams(1, 2);
        p.account = stranger;
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotEnrolled.selector, stranger));
        ledger.transferMany(p, proof, "");
    }

    /// A payment to bob by transfer, spend, transferMany, or a move to the available balance of bob's own.
    function _payment(uint256 kind, uint256 note, uint256 seed) private view returns (bytes memory) {
        if (kind == 0) {
            ILedger.TransferParams memory p = _transferParams(seed);
            p.note = note;
            return abi.encodeCall(ILedger.transfer, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        }
        if (kind == 1) {
            ILedger.SpendParams memory p = _spendParams(seed);
            p.note = note;
            return abi.encodeCall(ILedger.spend, (p, noPath, proof, _sign(AGENT_KEY, _hash(p))));
        }
        if (kind == 2) {
            ILedger.TransferManyParams memory p = _manyParams(seed, 2);
            p.payments[1].note = note;
            return abi.encodeCall(ILedger.transferMany, (p, proof, _sign(PAYMENT_KEY, _hash(p))));
        }
        ILedger.MakeAvailableParams memory a = _makeAvailableParams(seed);
        (a.account, a.changeNote) = (bob, note);
        return abi.encodeCall(ILedger.makeAvailable, (a, proof, _sign(BOB_KEY, _hash(a))));
    }

    function _refuse(ILedger.TransferManyParams memory p, bytes memory reason) private {
        bytes memory signature = _sign(PAYMENT_KEY, _hash(p));
        vm.expectRevert(reason);
        ledger.transferMany(p, proof, signature);
        vm.assertEq(_old(alice), EMPTY_AVAILABLE);
    }
}
