// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "../src/interfaces/ILedger.sol";
import {LedgerTest} from "./helpers/LedgerTest.sol";
import {Structs} from "./helpers/Structs.sol";
import {
    BurningWallet,
    FixedWallet,
    KeyWallet,
    MAGIC,
    MoodyWallet,
    ReenteringWallet,
    WritingWallet
} from "./helpers/Wallets.sol";
import {vm} from "./helpers/Vm.sol";

/// authority of a wallet (invariant 16)
/// ├── the sender, whatever the signature
/// ├── ECDSA, also when the wallet has code (EIP-7702)
/// ├── ERC-1271: the magic word, at any length of signature
/// ├── refused: another word, a short word, a revert, all gas used, no code
/// ├── a mind that changes, a view that calls back: nothing else happens
/// ├── one key of two wallets signs for the one that the struct names
/// └── payment keys and agents are keys: their code is not asked
contract WalletsTest is LedgerTest {
    function test_AContractWalletEnrollsItself() public {
        address wallet = address(new KeyWallet(stranger));
        ILedger.EnrollParams memory p = _enrollParams(wallet);
        ledger.enroll(p, _signEnroll(STRANGER_KEY, p));
        vm.assertEq(ledger.account(wallet).viewingKey, p.viewingKey);
    }

    function test_TheSenderCountsWhateverTheSignature() public {
        vm.prank(alice);
        ledger.setGuarded(alice, true, SOON, "no signature at all");
    }

    function test_AKeyWithDelegatedCodeKeepsItsRight() public {
        vm.etch(alice, address(new FixedWallet("", true)).code);
        ledger.setGuarded(alice, true, SOON, _signGuard(ALICE_KEY, alice));
        vm.assertTrue(ledger.account(alice).guarded, "the key was locked out");
    }

    function test_Invariant16_TheMagicWordAtAnyLengthOfSignature() public {
        address wallet = _enrollContract(address(new MoodyWallet()));
        bytes[3] memory signatures = [bytes(""), hex"01", new bytes(1000)];
        for (uint256 i = 0; i < 3; ++i) {
            vm.prank(relayer);
            ledger.setGuarded(wallet, i % 2 == 0, SOON, signatures[i]);
        }
        vm.assertEq(_nonce(wallet), 3);
    }

    function test_Invariant16_RevertWhen_TheMagicIsWrong() public {
        _refuse(abi.encode(bytes4(0xffffffff)), false);
        _refuse(abi.encode(uint256(1)), false);
        // Right in four bytes, with dirt behind them: the word is compared as a whole.
        _refuse(abi.encode(bytes32(MAGIC) | bytes32(uint256(1))), false);
    }

    function test_Invariant16_RevertWhen_TheAnswerIsShort() public {
        _refuse(abi.encodePacked(MAGIC), false);
        _refuse(abi.encodePacked(MAGIC, new bytes(27)), false);
        _refuse("", false);
    }

    function test_Invariant16_ALongAnswerIsReadForOneWord() public {
        address wallet =
            _enrollContract(address(new FixedWallet(abi.encodePacked(abi.encode(MAGIC), new bytes(100_000)), false)));
        ledger.setGuarded(wallet, true, SOON, "s");
    }

    function test_Invariant16_RevertWhen_TheWalletReverts() public {
        _refuse(abi.encode(MAGIC), true);
    }

    function test_Invariant16_RevertWhen_TheWalletBurnsAllGas() public {
        address wallet = _enrollContract(address(new BurningWallet()));
        bytes memory data = abi.encodeCall(ILedger.setGuarded, (wallet, true, SOON, "s"));
        (bool success,) = address(ledger).call{gas: 2_000_000}(data);
        vm.assertFalse(success, "a wallet that says nothing was believed");
        vm.assertEq(_nonce(wallet), 0);
    }

    function test_Invariant16_AChangedAnswerCountsWhenItIsMined() public {
        MoodyWallet wallet = new MoodyWallet();
        _enrollContract(address(wallet));
        ledger.setGuarded(address(wallet), true, SOON, "s");
        wallet.turn();
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.setGuarded(address(wallet), false, SOON, "s");
        vm.assertTrue(ledger.account(address(wallet)).guarded, "an old answer counted");
    }

    function test_Invariant16_RevertWhen_TheWalletWrites() public {
        address wallet = _enrollContract(address(new WritingWallet()));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.setGuarded(wallet, true, SOON, "s");
        vm.assertEq(WritingWallet(wallet).asked(), 0);
    }

    function test_Invariant16_AWalletThatCallsBackReadsAndDoesNothing() public {
        ReenteringWallet wallet = new ReenteringWallet(ledger);
        _enrollContract(address(wallet));
        // It may do this as sender, but not within a view.
        wallet.setInner(abi.encodeCall(ILedger.setPaymentKey, (address(wallet), stranger, UNTIL, SOON, "")));
        ledger.setGuarded(address(wallet), true, SOON, "s");
        ILedger.Account memory record = ledger.account(address(wallet));
        vm.assertEq(record.signer, address(0));
        vm.assertEq(record.nonce, 1);
    }

    function test_OneKeyOfTwoWalletsSignsForTheOneThatIsNamed() public {
        address first = _enrollContract(address(new KeyWallet(stranger)));
        address second = _enrollContract(address(new KeyWallet(stranger)));
        bytes memory signature = _signGuard(STRANGER_KEY, first);
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.setGuarded(second, true, SOON, signature);
        ledger.setGuarded(first, true, SOON, signature);
    }

    function test_OneKeyOfTwoWalletsMakesAvailableForTheOneThatIsNamed() public {
        address first = _enrollContract(address(new KeyWallet(stranger)));
        address second = _enrollContract(address(new KeyWallet(stranger)));
        ILedger.MakeAvailableParams memory p = _makeAvailableParams(1);
        p.account = first;
        bytes memory signature = _sign(STRANGER_KEY, _hash(p));
        p.account = second;
        vm.expectPartialRevert(ILedger.NotAuthorized.selector);
        ledger.makeAvailable(p, proof, signature);
    }

    function test_RevertWhen_APaymentKeyIsAContractThatSpeaksByErc1271() public {
        address code = address(new MoodyWallet());
        vm.prank(alice);
        ledger.setPaymentKey(alice, code, UNTIL, SOON, "");
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.transfer(_transferParams(1), proof, hex"01");
    }

    function test_RevertWhen_AnAgentsSignerIsAContractThatSpeaksByErc1271() public {
        _setAgentSigner(agent, address(new MoodyWallet()), NO_END);
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.spend(_spendParams(1), noPath, proof, hex"01");
    }

    function test_RevertWhen_AnAgentIsEnrolledByTheWordOfItsCode() public {
        address code = address(new MoodyWallet());
        vm.prank(alice);
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.enrollAgent(code, alice, SOON, "", hex"01");
    }

    function test_RevertWhen_TheZeroAddressEnrolls() public {
        ILedger.EnrollParams memory p = _enrollParams(address(0));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.enroll(p, hex"01");
        vm.prank(address(0));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.enroll(p, "");
    }

    function _enrollParams(address who) private pure returns (ILedger.EnrollParams memory) {
        return ILedger.EnrollParams(who, keccak256("key"), address(0), 0, "root", SOON);
    }

    function _enrollContract(address wallet) private returns (address) {
        vm.prank(wallet);
        ledger.enroll(_enrollParams(wallet), "");
        return wallet;
    }

    function _signGuard(uint256 key, address account) private view returns (bytes memory) {
        return _sign(key, Structs.setGuarded(account, true, _nonce(account), SOON));
    }

    function _refuse(bytes memory content, bool reverts) private {
        address wallet = _enrollContract(address(new FixedWallet(content, reverts)));
        vm.expectRevert(ILedger.InvalidSignature.selector);
        ledger.setGuarded(wallet, true, SOON, "s");
    }
}
