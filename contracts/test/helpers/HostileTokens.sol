// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";

abstract contract FreelyMinted is ERC20("Hostile", "HOS") {
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}

/// Says false instead of reverting, and moves nothing.
contract FalseToken is FreelyMinted {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return false;
    }

    function transfer(address, uint256) public pure override returns (bool) {
        return false;
    }
}

/// Says true and moves nothing.
contract LyingToken is FreelyMinted {
    function transferFrom(address, address, uint256) public pure override returns (bool) {
        return true;
    }
}

/// Keeps a tenth of what moves.
contract FeeToken is FreelyMinted {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        _burn(from, value / 10);
        return super.transferFrom(from, to, value - value / 10);
    }
}

/// Deposits the same again while a deposit is under way.
contract ReenteringToken is FreelyMinted {
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        ILedger(to).deposit(address(this), value);
        return super.transferFrom(from, to, value);
    }
}

/// Has an available balance pay out while a deposit is under way.
contract ReleasingToken is FreelyMinted {
    bool private immutable limited;

    constructor(bool limited_) {
        limited = limited_;
    }

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        ILedger.Proof memory proof;
        ILedger.RecipientProof memory path;
        ILedger.ReleaseParams memory p;
        ILedger.SpendPublicParams memory q;
        if (limited) ILedger(to).spendPublic(q, path, proof, "");
        else ILedger(to).release(p, proof, "");
        return super.transferFrom(from, to, value);
    }
}

/// Accepts every call, as wrapped coins with a fallback do, so EIP-3009 seems to be there.
contract AgreeableToken is FreelyMinted {
    fallback() external {}
}
