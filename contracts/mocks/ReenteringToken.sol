// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IReceiveWithAuthorization} from "../interfaces/IReceiveWithAuthorization.sol";

/// @title A token that calls back whenever it moves, before and after. For tests only.
contract ReenteringToken is ERC20, IReceiveWithAuthorization {
    address private _target;
    bytes private _call;

    /// @notice How many times a call back was let through, and what the last one was answered.
    uint256 public entered;
    uint256 public attempts;
    bytes public lastAnswer;

    constructor() ERC20("Reentering", "REE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @notice From now on every move calls `target` with `data`.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _call = data;
        entered = 0;
        attempts = 0;
        lastAnswer = "";
    }

    /// @dev Checks no signature: it stands for a token whose authorization has already been found good.
    function receiveWithAuthorization(address from, address to, uint256 value, uint256, uint256, bytes32, bytes calldata)
        external
    {
        _transfer(from, to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        _callBack();
        super._update(from, to, value);
        _callBack();
    }

    function _callBack() private {
        if (_target == address(0)) return;
        (bool success, bytes memory answer) = _target.call(_call);
        ++attempts;
        if (success) ++entered;
        lastAnswer = answer;
    }
}
